import script from "../../ui/dist/main.js" with { type: "text" };
import docsScript from "../../ui/dist/docs.js" with { type: "text" };
import docsStyle from "../../ui/docs.css" with { type: "text" };
import docsPage from "../../ui/docs.html" with { type: "text" };
import page from "../../ui/index.html" with { type: "text" };
import style from "../../ui/style.css" with { type: "text" };
import { newRouter } from "./router.ts";

/** The page itself, the same for each of its views. */
export const pageAnswer = file("text/html; charset=utf-8", page);

/** The page and its files; they are part of the program. */
export function assetRoutes() {
  return newRouter()
    .get("/", pageAnswer)
    .get("/docs", file("text/html; charset=utf-8", docsPage))
    .get("/assets/docs.js", file("text/javascript; charset=utf-8", docsScript))
    .get("/assets/docs.css", file("text/css; charset=utf-8", docsStyle))
    .get("/assets/main.js", file("text/javascript; charset=utf-8", script))
    .get("/assets/style.css", file("text/css; charset=utf-8", style));
}

function file(type: string, text: string): () => Response {
  return () => new Response(text, { headers: { "content-type": type } });
}
