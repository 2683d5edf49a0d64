import * as z from "zod";
import { preservedField } from "../base/fields.ts";

/**
 * Decision of a schedule or an integration when one of its earlier tasks still waits: start another
 * one, start none, or replace it.
 */
export const WAITING_POLICIES = ["all", "one", "latest"] as const;
export type WaitingPolicy = (typeof WAITING_POLICIES)[number];

export const waitingPolicyField = preservedField(z.enum(WAITING_POLICIES, "errors.unknown_type"));
