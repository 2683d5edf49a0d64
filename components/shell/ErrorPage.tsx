import type { ComponentProps } from "preact";
import { paths } from "../../lib/base/paths.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import { Alert } from "../ui/Alert.tsx";
import { Button, ButtonLink } from "../ui/Button.tsx";
import { Logo } from "../ui/Logo.tsx";
import { Title } from "../ui/Page.tsx";
import { SearchField } from "../ui/lists/SearchField.tsx";
import { QUERY_LENGTH_MAX } from "../../lib/search/schema.ts";
import { Drawer } from "./Drawer.tsx";

interface ErrorPageProps {
  ui: Ui;
  status: number;
  /** Name of the failure. */
  code: string;
  sentence: string;
  /** Complete address that failed. */
  here: string;
  signedIn: boolean;
  /** Content of the drawer; null if no one is signed in, or if it could not be loaded. */
  drawer: Omit<ComponentProps<typeof Drawer>, "ui" | "covered"> | null;
}

/** The page for an error, or for a form that was rejected. */
export function ErrorPage({ drawer, ...failure }: ErrorPageProps) {
  if (!drawer) return <Failure {...failure} places={null} />;
  // Without the script of other pages, because the data that it needs may be what failed.
  return (
    <div class="with-drawer">
      <Drawer ui={failure.ui} {...drawer} covered={false} />
      <Failure {...failure} places={drawer} />
    </div>
  );
}

interface FailureProps extends Omit<ErrorPageProps, "drawer"> {
  /** Places that the reader can go to instead. */
  places: Places | null;
}

type Places = Pick<
  ComponentProps<typeof Drawer>,
  "shell" | "projects" | "lastProjectId" | "viewer"
>;

function Failure({ ui, status, code, sentence, here, signedIn, places }: FailureProps) {
  const title = ui.t(titleOf(status, code));
  return (
    <main id="main" class="alone" tabIndex={-1}>
      <Title ui={ui} parts={[title]} />
      <div class="grid justify-items-center gap-2">
        <Logo class="w-16 h-16" />
        <h1>{title}</h1>
      </div>
      <Alert kind="danger" title={String(status)}>
        <p>{sentence}</p>
      </Alert>
      {status === 404 && places && <OtherPlaces ui={ui} {...places} />}
      <div class="flex flex-wrap justify-center gap-2">
        <ButtonLink kind="primary" href={here} icon="refresh">
          {ui.t("error_page.refresh")}
        </ButtonLink>
        {signedIn && <ButtonLink href={ui.href("/")}>{ui.t("error_page.home")}</ButtonLink>}
        <form method="post" action={ui.href(paths.signOut())}>
          <Button kind="secondary" icon="sign_out">{ui.t("error_page.sign_in_again")}</Button>
        </form>
      </div>
    </main>
  );
}

function titleOf(status: number, code: string): string {
  if (code === "maintenance") return "maintenance.title";
  return status === 404 ? "error_page.not_found" : "error_page.title";
}

/** Number of projects that are named. The menu of projects has all of them. */
const PROJECTS_MAX = 8;

/** The search of the page's project or of the last one, and outside of projects also links. */
function OtherPlaces({ ui, shell, projects, lastProjectId, viewer }: Places & { ui: Ui }) {
  const last = projects.find(({ id }) => id === lastProjectId) ?? projects[0];
  const searched = shell?.project ?? last;
  return (
    <>
      {searched && (
        <SearchInstead
          ui={ui}
          project={searched}
          sentence={ui.t(shell ? "error_page.search" : "error_page.search_last", {
            name: searched.name,
          })}
        />
      )}
      {!shell && (
        <nav aria-label={ui.t("error_page.places")}>
          <p class="m-0">{ui.t("error_page.places")}</p>
          <ul class="m-0">
            {projects.slice(0, PROJECTS_MAX).map(({ id, name }) => (
              <li key={id}>
                <a href={ui.href(paths.project(id))}>{name}</a>
              </li>
            ))}
            <li>
              <a href={ui.href(paths.account())}>{ui.t("account.edit")}</a>
            </li>
            {viewer.admin && (
              <li>
                <a href={ui.href(paths.admin())}>{ui.t("admin.title")}</a>
              </li>
            )}
          </ul>
        </nav>
      )}
    </>
  );
}

interface SearchInsteadProps {
  ui: Ui;
  project: { id: number; name: string };
  sentence: string;
}

/** Search for what is no longer at its address. */
const SearchInstead = ({ ui, project, sentence }: SearchInsteadProps) => (
  <form method="get" action={ui.href(paths.search(project.id))} role="search" class="grid gap-2">
    <p class="m-0">{sentence}</p>
    <div class="flex gap-2">
      <SearchField
        name="q"
        maxLength={QUERY_LENGTH_MAX}
        label={ui.t("search.label", { name: project.name })}
        placeholder={ui.t("search.placeholder")}
        class="min-w-0 flex-1"
      />
      <Button kind="secondary" icon="search">{ui.t("search.do")}</Button>
    </div>
  </form>
);
