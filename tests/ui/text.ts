import type { VNode } from "preact";
import { renderToString } from "preact-render-to-string";

/** Elements that stand on lines of their own. */
const blocks =
  /<\/?(?:article|dd|div|dl|dt|figure|footer|form|h[1-6]|header|li|main|nav|ol|p|pre|section|svg|table|tbody|thead|tr|ul|dialog)\b[^>]*>/g;

/**
 * A view as a person would read it, for snapshots: its words line by line, cells of a table apart by ` | `, buttons
 * and links in brackets, fields with what is in them.
 */
export function textOf(view: VNode): string {
  return renderToString(view)
    .replace(/<title>.*?<\/title>/g, "")
    .replace(/<svg[^>]*aria-label="([^"]*)"[^>]*>.*?<\/svg>/g, "($1)")
    .replace(/<svg.*?<\/svg>/g, "")
    .replace(/<input[^>]*?value="([^"]*)"[^>]*>/g, "[$1______]")
    .replace(/<input[^>]*?placeholder="([^"]*)"[^>]*>/g, "[$1 ______]")
    .replace(/<input[^>]*>/g, "[______]")
    .replace(/<(button|a)\b[^>]*?aria-label="([^"]*)"[^>]*>.*?<\/\1>/gs, "[$2]")
    .replace(/<(?:button|a)\b[^>]*>/g, "[")
    .replace(/<\/(?:button|a)>/g, "]")
    .replace(/<\/t[dh]>(?=<t[dh])/g, " | ")
    .replace(blocks, "\n")
    .replace(/<[^>]+>/g, " ")
    .replace(/&lt;/g, "<").replace(/&gt;/g, ">").replace(/&quot;/g, '"').replace(/&amp;/g, "&")
    .split("\n")
    .map((line) => line.replace(/\s+/g, " ").trim())
    .filter((line) => line !== "")
    .join("\n");
}
