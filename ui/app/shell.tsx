/// <reference lib="dom" />
import { Heading } from "../parts/heading.tsx";
import { signal } from "@preact/signals";
import { Component, type ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { daemon } from "../data/daemon.ts";
import { unread } from "../data/notices.ts";
import { theme } from "../data/settings.ts";
import { link } from "../net/events.ts";
import { wordsOf } from "../net/api.ts";
import { Failed, Skeleton } from "../parts/states.tsx";
import { Banners } from "./banners.tsx";
import { Icon, type IconName } from "./icons.tsx";
import { loadScript } from "./load.ts";
import { Link, place } from "./router.tsx";
import { Toasts } from "./toast.tsx";
import { type View, viewOf } from "./views.tsx";
import type { ViewProps } from "../views/view_props.ts";

const rail: ReadonlyArray<{ href: string; label: string; icon: IconName }> = [
  { href: "/", label: "Overview", icon: "overview" },
  { href: "/units", label: "Units", icon: "units" },
  { href: "/runs", label: "Runs", icon: "runs" },
  { href: "/timeline", label: "Timeline", icon: "timeline" },
  { href: "/notifications", label: "Notifications", icon: "bell" },
  { href: "/search", label: "Search logs", icon: "search" },
  { href: "/system", label: "System", icon: "system" },
];

/** Which overlay is open: the palette, or the list of keys. */
export const overlay = signal<"none" | "palette" | "help">("none");

/** The frame of the page: rail, bar, and the view of the address. */
export function Shell() {
  return (
    <>
      <a class="skip" href="#main">Skip to content</a>
      <nav class="rail" aria-label="Places">
        {rail.map(({ href, label, icon }) => {
          const { path } = place.value;
          const isHere = href === "/" ? path === "/" : path === href || path.startsWith(`${href}/`);
          return (
            <Link key={href} href={href} title={label} {...(isHere ? { "aria-current": "page" } : {})}>
              <Icon name={icon} />
              <span>{label}</span>
              {icon === "bell" && unread.value > 0 ? <b class="count">{unread.value}</b> : null}
            </Link>
          );
        })}
      </nav>
      <div class="page">
        <TopBar />
        <Banners />
        <main id="main" tabIndex={-1}>
          <CurrentView />
        </main>
      </div>
      <Toasts />
      <Overlay />
    </>
  );
}

function TopBar() {
  const themes = ["system", "light", "dark"] as const;
  const next = themes[(themes.indexOf(theme.value) + 1) % themes.length] ?? "system";
  return (
    <header class="bar">
      <Link href="/" class="brand" aria-label="svc: overview">svc</Link>
      <button type="button" class="find" onClick={() => overlay.value = "palette"}>
        <Icon name="search" />
        <span>Find a unit, a run, an action</span>
        <kbd>Ctrl K</kbd>
      </button>
      <span class="fill" />
      {daemon.value?.auth_disabled
        ? <span class="badge warn" title="Anybody who reaches this port can do everything">no password</span>
        : null}
      <LinkState />
      <button
        type="button"
        class="icon"
        aria-label={`Theme: ${theme.value}. Change to ${next}`}
        title={`Theme: ${theme.value}`}
        onClick={() => theme.value = next}
      >
        <Icon name={theme.value === "dark" ? "moon" : theme.value === "light" ? "sun" : "halfmoon"} />
      </button>
      <button
        type="button"
        class="icon"
        aria-label="Keys"
        title="Keys (?)"
        onClick={() => overlay.value = "help"}
      >
        ?
      </button>
    </header>
  );
}

function LinkState() {
  const words = {
    connecting: "connecting",
    live: "live",
    away: "daemon away",
    replaced: "being replaced",
  } as const;
  return (
    <span class={`link-state ${link.value}`} role="status">
      <span class="dot" aria-hidden="true" />
      {words[link.value]}
    </span>
  );
}

/** Loads the view of the address, and keeps the one before until it is there. */
function CurrentView() {
  const { path } = place.value;
  const [shown, show] = useState<{ path: string; View?: View; props?: ViewProps; error?: string }>();
  const found = viewOf(path);
  useEffect(() => {
    let isOld = false;
    document.title = `${found === undefined ? "Not found" : found.props.name ?? found.entry.title} · svc`;
    if (found !== undefined) {
      loadScript(found.entry.load).then(
        ({ default: View }) => isOld || show({ path, View, props: found.props }),
        (error) => isOld || show({ path, error: wordsOf(error) }),
      );
    }
    return () => void (isOld = true);
  }, [path]);
  if (found === undefined) {
    return (
      <>
        <Heading title="There is no such page" />
        <p>
          Nothing is at <code>{path}</code>. <Link href="/">Go to the overview</Link>
        </p>
      </>
    );
  }
  if (shown?.error !== undefined) {
    return <Failed isView what="this page" why={shown.error} onRetry={() => location.reload()} />;
  }
  if (shown?.View === undefined) return <Skeleton />;
  const { View } = shown;
  return (
    <Boundary key={shown.path}>
      <View {...shown.props} />
    </Boundary>
  );
}

/** What goes wrong in one view stays in it. */
class Boundary extends Component<{ children: ComponentChildren }, { why?: string }> {
  override componentDidCatch(error: unknown): void {
    this.setState({ why: wordsOf(error) });
  }

  override render() {
    const { why } = this.state;
    if (why === undefined) return this.props.children;
    return <Failed isView what="this page" why={why} onRetry={() => location.assign(location.pathname)} />;
  }
}

/** The palette and the help are loaded when they are first wanted. */
function Overlay() {
  const [parts, setParts] = useState<typeof import("./overlays.tsx")>();
  const wanted = overlay.value;
  useEffect(() => {
    if (wanted !== "none" && parts === undefined) {
      {
        loadScript(() => import("./overlays.tsx")).then(
          (loaded) => setParts(() => loaded),
          () => overlay.value = "none",
        );
      }
    }
  }, [wanted]);
  if (parts === undefined || wanted === "none") return null;
  const close = (): void => void (overlay.value = "none");
  return wanted === "palette" ? <parts.Palette onClose={close} /> : <parts.Help onClose={close} />;
}
