// Makes livekit.js, what talk.js needs of livekit-client, and NOTICE.txt, with the licence of everything that is in it. Run by hand, where package.json names a new version:
//
//   cd smsmcp/page/talk/livekit
//   npm install --ignore-scripts --omit-lockfile-registry-resolved && node build.mjs && rm -r node_modules
//
// A test makes both anew and compares them. It gives the folder of the modules, and the one to write into: node build.mjs MODULES INTO
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const modules = resolve(process.argv[2] ?? join(here, "node_modules"));
const into = resolve(process.argv[3] ?? here);

const esbuild = createRequire(join(modules, "x.js"))("esbuild");
await esbuild.build({
  stdin: { contents: readFileSync(join(here, "entry.js"), "utf8"), resolveDir: here, sourcefile: "entry.js" },
  nodePaths: [modules], outfile: join(into, "livekit.js"),
  bundle: true, minify: true, format: "iife", globalName: "livekit", target: "es2022", charset: "ascii", legalComments: "none",
  banner: { js: "/* livekit-client, made by build.mjs. Its licence, and those of all that it holds: NOTICE.txt */" },
});

// What livekit-client depends on, and what that does. A few of them are types alone; they are named too.
const found = new Map();
function add(name) {
  if (found.has(name)) return;
  const about = JSON.parse(readFileSync(join(modules, name, "package.json"), "utf8"));
  found.set(name, about);
  for (const next of Object.keys(about.dependencies ?? {})) add(next);
}
add("livekit-client");

// licence gives the text of a package's licence; of one without such a file, what its sources say at their head.
function licence(name) {
  const files = readdirSync(join(modules, name)).filter((f) => /^(licen[cs]e|copyrightnotice|notice)/i.test(f)).sort();
  if (files.length > 0) return files.map((f) => readFileSync(join(modules, name, f), "utf8"));
  const heads = new Set();
  for (const e of readdirSync(join(modules, name, "dist/esm"), { recursive: true, withFileTypes: true })) {
    if (!e.isFile() || !e.name.endsWith(".js")) continue;
    const head = /^(\/\/.*\n)*/.exec(readFileSync(join(e.parentPath ?? e.path, e.name), "utf8"))[0].replace(/^\/\/ ?/gm, "");
    const text = /Copyright [\s\S]*?(limitations under the License\.|SUCH DAMAGE\.)/.exec(head);
    if (text) heads.add(text[0]);
  }
  if (heads.size === 0) throw new Error(`${name} has no licence`);
  return [...heads].sort();
}

const texts = new Map(); // by their words
for (const [name, about] of [...found].sort(([a], [b]) => (a < b ? -1 : 1))) {
  for (const text of licence(name)) {
    const key = text.replace(/\s+/g, " ").trim();
    if (!texts.has(key)) texts.set(key, { of: [], text: text.replace(/\r/g, "").trim() });
    texts.get(key).of.push(`${name} ${about.version}: ${about.license}`);
  }
}
const rule = "-".repeat(80);
writeFileSync(join(into, "NOTICE.txt"), "livekit.js holds livekit-client, and what it needs of these packages.\n" +
  [...texts.values()].map(({ of, text }) => `\n${rule}\n${of.join("\n")}\n${rule}\n\n${text}\n`).join(""));
