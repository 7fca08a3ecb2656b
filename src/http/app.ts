import type { Engine } from "../engine/engine.ts";
import { ApiDescription } from "./description.ts";
import type { DaemonFacts } from "./facts.ts";
import { assetRoutes } from "./assets.ts";
import { Auth, withoutAuth } from "./auth/auth.ts";
import { authGuard } from "./auth/guard.ts";
import { bodyGuard, methodGuard } from "./guards.ts";
import { securityHeadersGuard } from "./headers.ts";
import { onError } from "./problems.ts";
import { newRouter } from "./router.ts";
import { schemaLinks } from "./schema_links.ts";
import { authRoutes } from "./routes/auth.ts";
import { bulkRoutes } from "./routes/bulk.ts";
import { credentialRoutes } from "./routes/credentials.ts";
import { daemonRoutes } from "./routes/daemon.ts";
import { debugRoutes } from "./routes/debug.ts";
import { descriptionRoutes } from "./routes/description.ts";
import { eventRoutes } from "./routes/events.ts";
import { hookRoutes } from "./routes/hooks.ts";
import { logSearchRoutes } from "./routes/log_search.ts";
import { logRoutes } from "./routes/logs.ts";
import { metricsRoutes } from "./routes/metrics.ts";
import { notificationRoutes } from "./routes/notifications.ts";
import { runStatRoutes } from "./routes/run_stats.ts";
import { runRoutes } from "./routes/runs.ts";
import { systemRoutes } from "./routes/system.ts";
import { taskRoutes } from "./routes/tasks.ts";
import { Streams } from "./streams/streams.ts";
import { unknownPath } from "./unknown_path.ts";

/**
 * All of HTTP as one function from request to response; `c.env.peer` must be handed to `fetch`. Who means to end the
 * streams before the listeners hands them in.
 */
export function createApp(
  engine: Engine,
  facts: DaemonFacts,
  { streams = new Streams(engine) }: { streams?: Streams } = {},
) {
  const app = newRouter();
  const auth = new Auth(facts.auth ?? withoutAuth(), facts);
  const guard = { externalUrl: () => engine.config.daemon.externalUrl };
  app.onError(onError(facts.report));
  app.use(securityHeadersGuard);
  app.use(methodGuard);
  const description = new ApiDescription(app, {
    version: facts.version,
    cookieName: auth.cookieName,
    ...guard,
  });
  app.use(schemaLinks(description));
  app.use(authGuard(auth, guard));
  // Before the body guard: a hook's token is looked at before its body.
  const hooked = app.route("/", hookRoutes(engine, auth, guard));
  app.use(bodyGuard);
  const routed = hooked
    .route("/", authRoutes(auth, guard))
    .route("/", credentialRoutes(auth))
    .route("/", daemonRoutes(engine, facts))
    .route("/", debugRoutes(engine, facts, streams))
    .route("/", systemRoutes(engine, facts))
    .route("/", notificationRoutes(engine))
    .route("/", taskRoutes(engine))
    .route("/", bulkRoutes(engine))
    .route("/", runStatRoutes(engine))
    .route("/", runRoutes(engine))
    .route("/", eventRoutes(streams, auth))
    .route("/", logRoutes(engine, { auth, streams }))
    .route("/", logSearchRoutes(engine));
  app.route("/", descriptionRoutes(description));
  app.route("/", assetRoutes());
  if (engine.config.daemon.metricsListen === undefined) app.route("/", metricsRoutes(engine, facts));
  app.notFound(unknownPath(app.routes));
  return routed;
}

/** The type by which clients know the routes. */
export type App = ReturnType<typeof createApp>;
