import { expositionType } from "../../core/prometheus.ts";
import type { Engine } from "../../engine/engine.ts";
import { isFromBrowser } from "../auth/browser_marks.ts";
import { isKnownHost, unknownHost } from "../auth/hosts.ts";
import type { DaemonFacts } from "../facts.ts";
import { securityHeadersGuard } from "../headers.ts";
import { onError, problem } from "../problems.ts";
import { newRouter } from "../router.ts";

/** GET /metrics, unless metrics are off; like the page it is no part of the API's description. */
export function metricsRoutes(engine: Engine, facts: DaemonFacts) {
  const router = newRouter();
  const { metrics } = engine;
  if (metrics === undefined) return router;
  return router.get(
    "/metrics",
    (c) => c.body(metrics.text(facts), 200, { "content-type": expositionType, "cache-control": "no-store" }),
  );
}

/** What a listener of its own for metrics answers: GET /metrics, and nothing else. */
export function createMetricsApp(engine: Engine, facts: DaemonFacts) {
  const app = newRouter();
  app.onError(onError(facts.report));
  app.use(securityHeadersGuard);
  const known = {
    hostNames: facts.auth?.hostNames ?? [],
    externalUrl: () => engine.config.daemon.externalUrl,
  };
  app.use(async (c, next) => {
    // A scraper may know this machine by any name; a page that was made to point here (DNS rebinding) may not.
    if (isFromBrowser(c, { strictly: true }) && !isKnownHost(c, known)) return unknownHost(c);
    return await next();
  });
  app.route("/", metricsRoutes(engine, facts));
  app.notFound((c) =>
    problem(c, "no_route", { detail: `no such path "${c.req.path}": only GET /metrics is answered here` })
  );
  return app;
}
