import { Fault } from "../../fault.ts";
import type { ApiDescription } from "../description.ts";
import { newRouter } from "../router.ts";

/** The API's description: one document, and each schema at the address that `$schema` names. */
export function descriptionRoutes(description: ApiDescription) {
  return newRouter()
    .get(
      "/openapi.json",
      (c) => c.body(JSON.stringify(description.document()), 200, { "content-type": "application/json" }),
    )
    .get("/schemas/:file", (c) => {
      const name = c.req.param("file").replace(/\.json$/, "");
      const schema = description.schema(name);
      if (schema === undefined || !c.req.param("file").endsWith(".json")) {
        throw new Fault("not_found", `no schema "${c.req.param("file")}": /openapi.json has them all`);
      }
      return c.body(JSON.stringify(schema), 200, { "content-type": "application/schema+json" });
    });
}
