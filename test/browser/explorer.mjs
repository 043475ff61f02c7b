// Drives the explorer: usage explorer.mjs FOLDER, which holds the pages that test/e2e/explorer.py made.
import { createRequire } from "node:module";
import { join } from "node:path";
import { readFileSync } from "node:fs";
import { check, close, conclude, has, launch, open, same } from "./driver.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const folder = process.argv[2];
const file = (name) => join(folder, name);
// Links change the address first and the page in a later task.
const settled = (page) => page.evaluate(() => new Promise((done) => { setTimeout(() => requestAnimationFrame(done), 50); }));
const details = async (page) => { await settled(page); return page.locator("#details-body").innerText(); };
const status = async (page) => { await settled(page); return page.locator("#status").innerText(); };
const here = async (page, prefix = "") => {
  await settled(page);
  return page.evaluate((p) =>
    [...document.querySelectorAll(".node.here")].map((n) => n.id).filter((id) => id.startsWith(p)), prefix);
};
const background = (page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);

// The rules of axe-core, in the state the page is in. Through the driver, since the page's policy lets
// no other script in.
async function accessible(page) {
  await page.evaluate(axe);
  const found = await page.evaluate(() => window.axe.run());
  same(`${page.path} is accessible`, found.violations.map((v) => `${v.id}: ${v.nodes[0].html.slice(0, 120)}`), []);
}

async function safe(page) {
  const found = await page.evaluate(() => ({
    scripts: document.querySelectorAll("script").length,
    strange: document.querySelectorAll("img, iframe, object, embed, link, b:not(.excerpt b), i, u, [onerror], [onload]").length,
    broken: window.broken === undefined ? 0 : 1,
  }));
  same(`${page.path} has only its own elements`, found, { scripts: 2, strange: 0, broken: 0 });
}

// ---- the socket: six states, everything proved -------------------------------------------------
async function socket(browser) {
  const page = await open(browser, file("socket.html"));
  await safe(page);
  has("the verdict is said at the top", await page.locator(".verdict").innerText(), "6 states, proved safe, permissive and full");
  same("evidence is folded", await page.locator("details[open] >> text=Evidence").count(), 0);

  await page.locator("#s3").hover();
  has("hovering shows the state", await details(page), "State 3");
  has("hovering shows what it allows", await details(page), "shutdownInput");
  has("hovering shows what it refuses and why", await details(page), "SocketException at socket.tir:14");
  await page.mouse.move(5, 5);
  has("leaving shows the current state again", await details(page), "State 0");
  await page.locator("#s1").focus();
  has("focus shows the state", await details(page), "State 1");
  await page.keyboard.press("Enter");
  has("Enter chooses it", page.url(), "#state=1");
  await page.keyboard.press("Escape");

  await page.locator("#e0 .letter").first().click();
  has("a transition shows an example", await details(page), "Example:");
  check("a changed field is marked", (await page.locator("#details tr.changed").count()) > 0);
  has("with values before and after", await details(page), "before");
  check("the arrow is marked", await page.locator("#e0.chosen").count() === 1);

  await page.goto(page.url().split("#")[0] + "#state=0");
  await page.locator("#details a", { hasText: "getInputStream" }).click();
  has("a refused call shows its error", await details(page), "SocketException at socket.tir:36");
  has("and the shortest sequence", await details(page), "Shortest sequence");
  const line = await page.locator(".excerpt .at").innerText();
  has("and the line of the source", line, "if (!connected) error SocketException;");

  await page.keyboard.press("/");
  await page.keyboard.type("bind, connect shutdownInput");
  await page.keyboard.press("Enter");
  same("a typed sequence is replayed", await page.locator("#steps li").count(), 4);
  same("and leads to its state", await here(page), ["s4"]);
  has("the address follows", page.url(), "#word=bind,connect,shutdownInput");
  await page.locator("#back").click();
  same("a step back", await here(page), ["s3"]);
  await page.locator("h1").click();
  await page.keyboard.press("ArrowLeft");
  same("a step back by key", await here(page), ["s1"]);
  await page.keyboard.press("End");
  same("to the end by key", await here(page), ["s4"]);
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  same("a step forward by key", await here(page), ["s1"]);
  check("the arrow that was taken is marked", await page.locator(".edge.taken").count() === 1);

  await page.locator("#last").click();
  await page.locator("#next button", { hasText: "getInputStream" }).click();
  has("a refused call says why", await status(page), "getInputStream is refused in state 4: SocketException at socket.tir:37");
  same("nothing is reached by it", await here(page), []);
  check("the state that refused is marked", await page.locator("#s4.stopped").count() === 1);
  await page.locator("#clear").click();
  same("cleared", await here(page), ["s0"]);
  await page.locator("#next button", { hasText: "connect" }).click();
  same("clicking a call takes it", await here(page), ["s3"]);
  await page.locator("#word").fill("connect nonsense");
  await page.keyboard.press("Enter");
  has("an unknown call is named", await status(page), "nonsense is no call of this component");
  await page.locator("#word").fill("conect");
  await page.keyboard.press("Enter");
  has("a typo gets a proposal", await status(page), "did you mean connect?");
  await page.locator("#status button").click();
  same("which is taken with a click", await here(page), ["s3"]);
  await page.locator("#word").fill("shutdownInput connect");
  await page.keyboard.press("Enter");
  has("what comes after a refusal is answered", await status(page), "the sequence ended before this: call 1, shutdownInput, was refused");
  const [picture, input] = await page.evaluate(() => ["svg.picture", "#word"].map((x) => document.querySelector(x).getBoundingClientRect()));
  check("the picture comes first", picture.top < input.top && picture.top < 250, `${picture.top} ${input.top}`);
  check("and the sequence is on the screen with it", input.bottom < 850, String(input.bottom));
  await page.locator("#word").fill("bind connect shutdownInput");
  await page.keyboard.press("Enter");
  same("the whole path is marked", await page.locator(".edge.path").count(), 3);

  const light = await background(page);
  await page.locator("#theme").click();
  check("the theme changes", (await background(page)) !== light);
  const width = () => page.locator("svg.picture").evaluate((svg) => svg.clientWidth);
  const before = await width();
  await page.getByRole("button", { name: "larger picture" }).click();
  check("the picture grows", (await width()) > before);

  same("the table has a row per state", await page.getByRole("rowheader").count() >= 6, true);
  const unnamed = await page.evaluate(() => [...document.querySelectorAll("button, input, select, [role=button]")]
    .filter((node) => !(node.getAttribute("aria-label") || node.textContent.trim() || node.labels?.length)).length);
  same("everything to press has a name", unnamed, 0);

  await accessible(page);
  await page.emulateMedia({ media: "print" });
  same("print leaves the controls out", await page.locator("#replay").isVisible(), false);
  same("print keeps the table", await page.locator("table").first().isVisible(), true);
  check("it prints", (await page.pdf()).length > 10000);
  await close(page);
}

async function deepLinks(browser) {
  let page = await open(browser, file("signature.html"), { hash: "#word=initSign,update,verify&at=2" });
  same("a link to a word and a place in it", await here(page), ["s1"]);
  same("all its steps are there", await page.locator("#steps li").count(), 4);
  await page.evaluate(() => { location.hash = "#refusal=0"; });
  await page.waitForFunction(() => document.querySelector("#details-body").innerText.includes("refused"));
  has("a link to a refusal", await details(page), "sign is refused in state 0");
  await page.locator("table a", { hasText: "initVerify" }).first().click();
  await page.waitForFunction(() => document.querySelector("#details-body").innerText.includes("state 2"));
  has("a link in the table", await details(page), "state 2");
  for (const hash of ["#word=%E0%A4%A", "#state=999", "#refusal=-1", "#edge=x", "#word=,,&at=9", "#side=old"]) {
    await page.evaluate((h) => { location.hash = h; }, hash);
    await page.waitForTimeout(20);
  }
  await close(page);

  page = await open(browser, file("list_iterator.html"), { hash: "#word=next,remove", colorScheme: "dark" });
  has("a letter without outcome stands for all", await status(page), "refused in state");
  has("what is open is said in words", await page.locator(".claims").innerText(), "full unknown: it is open");
  has("assumptions are listed", await page.locator(".meaning").innerText(), "Under 1 assumption");
  check("dark by the system's choice", (await background(page)) !== "rgb(255, 255, 255)");
  await page.locator("#word").fill("next:returns remove");
  await page.keyboard.press("Enter");
  has("with it the word is legal", await status(page), "now in state");
  await page.locator("#word").fill("next:maybe");
  await page.keyboard.press("Enter");
  has("outcomes are named", await status(page), "next has no such outcome; it has next:");
  await accessible(page);
  await close(page);

  page = await open(browser, file("nasa_cev.html"), { viewport: { width: 420, height: 800 } });
  same("31 states are drawn", await page.locator(".node").count(), 31);
  same("a narrow page does not scroll sideways",
    await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true);
  await close(page);
}

async function diff(browser) {
  const page = await open(browser, file("diff.html"));
  await safe(page);
  const changes = await page.locator(".changes").innerText();
  has("what was removed", changes, "is refused now after");
  has("what was added", changes, "is allowed now after");
  same("two pictures", await page.locator("svg.picture").count(), 2);
  check("what changed is marked in the old one", await page.locator("#old-picture .removed").count() > 0);
  check("and in the new one", await page.locator("#new-picture .added").count() > 0);
  await page.locator(".changes .removed a").first().click();
  await page.waitForFunction(() => document.querySelector("#status").innerText.includes("refused"));
  const said = await status(page);
  has("the old one allows it", said, "old: now in state");
  has("the new one refuses it", said, "new: ");
  await accessible(page);
  await close(page);
}

async function hostile(browser) {
  const page = await open(browser, file("hostile.html"));
  await safe(page);
  has("a name is text", await page.locator("h1").innerText(), "</title><script>alert(2)</script>");
  for (const name of JSON.parse(readFileSync(file("names.json"), "utf8"))) {
    const node = page.locator("#next button", { hasText: name.slice(0, 40).replace(/\s+/g, " ").trim() }).first();
    check(`there is a button for ${name.slice(0, 40)}`, (await node.count()) === 1);
    await node.click();
    await page.locator("#first").click();
  }
  for (const hash of ["state=0", "state=1", "edge=0", "edge=1", "refusal=0", "refusal=3"]) {
    await page.evaluate((h) => { location.hash = h; }, hash);
    await page.waitForTimeout(10);
  }
  has("no file is shown that is no source", await page.evaluate(() => document.querySelector("#data").textContent), "/etc/passwd was not found");
  check("one constructor is chosen at the start", (await page.locator("#constructor").inputValue()) !== "");
  same("and leads to its state", await here(page), ["s0"]);
  await page.locator("#constructor").selectOption({ index: 1 });
  same("another one leads elsewhere", await here(page), ["s1"]);
  await safe(page);
  same("a long name does not widen the page",
    await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true);
  await close(page);

  const large = await open(browser, file("hostile500.html"));
  await safe(large);
  same("a table instead of a picture", await large.locator("svg.picture").count(), 0);
  same("with all states", await large.locator("tr[id^=row]").count(), 500);
  has("and a reason", await large.locator(".pictures").innerText(), "too many for a picture");
  await large.locator("#next button.go").first().click();
  has("replay works all the same", await status(large), "now in state");
  await close(large);
}

const browser = await launch();
try {
  for (const part of [socket, deepLinks, diff, hostile]) {
    try {
      await part(browser);
    } catch (error) {
      check(part.name, false, error.stack);
    }
  }
  if (process.argv[3]) {
    const shots = [["socket", "#word=connect,shutdownInput,getInputStream", "light"], ["nasa_cev", "#word=srbIgnition", "dark"],
      ["diff", "", "light"], ["hostile", "", "light"]];
    for (const [name, hash, colorScheme] of shots) {
      const page = await open(browser, file(`${name}.html`), { hash, colorScheme, viewport: { width: 1200, height: 760 } });
      await page.screenshot({ path: join(process.argv[3], `explorer-${name}.png`) });
      await close(page);
    }
  }
} finally {
  await browser.close();
}
conclude();
