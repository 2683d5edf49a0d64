import { HttpError } from "fresh";

export const handler = () => {
  throw new HttpError(403, "not yours");
};
