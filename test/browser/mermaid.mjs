// Has Mermaid itself read and draw diagrams: usage mermaid.mjs FILE... For each there may be a
// FILE.texts, a JSON list of what has to be read in the picture.
import { createRequire } from "node:module";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { check, conclude, has, launch } from "./driver.mjs";

const require = createRequire(import.meta.url);
const bundle = join(dirname(require.resolve("mermaid")), "mermaid.min.js");
const browser = await launch();
const page = await browser.newPage();
const complaints = [];
page.on("pageerror", (error) => complaints.push(error.message));
page.on("dialog", (dialog) => {
  complaints.push(`dialog ${dialog.message()}`);
  dialog.dismiss();
});
await page.setContent("<!DOCTYPE html><div id=out></div>");
await page.addScriptTag({ path: bundle });
for (const file of process.argv.slice(2)) {
  const text = readFileSync(file, "utf8");
  const drawn = await page.evaluate(async (diagram) => {
    try {
      mermaid.initialize({ startOnLoad: false, maxTextSize: 10_000_000, maxEdges: 5000 });
      await mermaid.parse(diagram);
      const { svg } = await mermaid.render("picture", diagram);
      const out = document.getElementById("out");
      out.innerHTML = svg;
      return { text: out.textContent, arrows: out.querySelectorAll(".edgePaths path, path.transition").length };
    } catch (error) {
      return { error: String(error) };
    }
  }, text);
  check(`${file} is a diagram`, !drawn.error, drawn.error);
  if (drawn.error) continue;
  // A loop is drawn in several pieces.
  check(`${file} has all its arrows`, drawn.arrows >= (text.match(/ --> /g) || []).length, String(drawn.arrows));
  if (existsSync(`${file}.texts`))
    for (const wanted of JSON.parse(readFileSync(`${file}.texts`, "utf8"))) has(`${file} shows it`, drawn.text, wanted);
}
check("the page complains", complaints.length === 0, complaints.join("; "));
await browser.close();
conclude();
