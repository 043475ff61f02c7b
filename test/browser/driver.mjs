// Shared by the browser tests: Chromium as installed, pages that may load nothing, and checks that
// go on after a failure. A page is closed with the complaints it caused.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const require = createRequire(import.meta.url);

export const failures = [];
let checks = 0;

export function check(what, condition, detail = "") {
  ++checks;
  if (!condition) failures.push(`${what}${detail === "" ? "" : `: ${detail}`}`);
}
export const same = (what, got, want) =>
  check(what, JSON.stringify(got) === JSON.stringify(want), `${JSON.stringify(got)}, not ${JSON.stringify(want)}`);
export const has = (what, text, part) => check(what, String(text).includes(part), `'${part}' is not in '${String(text).slice(0, 400)}'`);

export async function launch() {
  const { chromium } = require("playwright-core");
  return chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox", "--disable-gpu"] });
}

export async function open(browser, path, { hash = "", ...how } = {}) {
  const context = await browser.newContext({ viewport: { width: 1300, height: 850 }, ...how });
  const page = await context.newPage();
  const url = pathToFileURL(path).href;
  page.complaints = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) page.complaints.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => page.complaints.push(`exception: ${error.message}`));
  page.on("dialog", (dialog) => {
    page.complaints.push(`dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  page.on("request", (request) => {
    if (request.url().split("#")[0] !== url) page.complaints.push(`request: ${request.url().slice(0, 200)}`);
  });
  await page.goto(url + hash);
  page.setDefaultTimeout(5000);
  page.path = path;
  return page;
}

export async function close(page) {
  same(`${page.path} complains`, page.complaints, []);
  await page.context().close();
}

export function conclude() {
  for (const failure of failures) console.log(`FAILED ${failure}`);
  console.log(`${checks} checks, ${failures.length} failed`);
  process.exit(failures.length === 0 ? 0 : 1);
}
