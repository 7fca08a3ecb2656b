import { useEffect, useState } from "preact/hooks";
import { get } from "../../net/api.ts";
import { reload } from "../../app/actions.ts";
import { Action } from "../../parts/button.tsx";

const example = `[tasks.backup]
cron = "30 2 * * *"
run = "tar -czf /backups/home.tar.gz /home"

[services.web]
run = "exec python3 -m http.server 8000"
`;

/** What stands where no unit is defined yet: what a unit is, and the least that makes one. */
export function FirstStart() {
  const [file, setFile] = useState("svc.toml");
  useEffect(() => {
    get("/api/daemon/identity").then(({ config_path }) => setFile(config_path), () => {});
  }, []);
  return (
    <section class="overview-first">
      <h1>Nothing to run yet</h1>
      <p>
        svc runs <em>tasks</em>, by schedule or by request, and keeps <em>services</em>{" "}
        up. Both stand in its configuration. Put this into <code>{file}</code>, then reload:
      </p>
      <pre tabIndex={0} aria-label="An example of svc.toml">{example}</pre>
      <p class="row">
        <Action what="reload" class="primary" onClick={() => void reload()}>Reload the configuration</Action>
        <span class="muted">
          or <code>svc reload</code>; <code>svc validate</code> checks it first
        </span>
      </p>
    </section>
  );
}
