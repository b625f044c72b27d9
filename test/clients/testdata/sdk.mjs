// Talks to Readback with the official TypeScript SDK and prints what came of it as JSON. The one argument says how (see sdk_test.go).
// Exit code 3: no connection; standard output holds the error's message.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { join } from "node:path";

const ask = JSON.parse(process.argv[2]);
const require = createRequire(join(ask.modules, "x.js"));
const load = (name) => import(pathToFileURL(require.resolve(name)).href);

const me = { name: "readback-test", version: "1" };
let client, transport;
const http = { requestInit: { headers: { Authorization: `Bearer ${ask.token}` } } };
const child = { command: ask.command, args: ask.args, stderr: "inherit" };
if (ask.era === "v1") {
  const { Client } = await load("@modelcontextprotocol/sdk/client/index.js");
  client = new Client(me);
  if (ask.transport === "http") {
    const { StreamableHTTPClientTransport } = await load("@modelcontextprotocol/sdk/client/streamableHttp.js");
    transport = new StreamableHTTPClientTransport(new URL(ask.url), http);
  } else {
    const { StdioClientTransport } = await load("@modelcontextprotocol/sdk/client/stdio.js");
    transport = new StdioClientTransport(child);
  }
} else {
  const { Client, StreamableHTTPClientTransport } = await load("@modelcontextprotocol/client");
  const mode = { modern: { pin: "2026-07-28" }, auto: "auto", legacy: "legacy" }[ask.era];
  client = new Client(me, { versionNegotiation: { mode } });
  if (ask.transport === "http") {
    transport = new StreamableHTTPClientTransport(new URL(ask.url), http);
  } else {
    const { StdioClientTransport } = await load("@modelcontextprotocol/client/stdio");
    transport = new StdioClientTransport(child);
  }
}

// The older line tells its transport what was settled, and nobody else.
let settled;
const tell = transport.setProtocolVersion?.bind(transport);
transport.setProtocolVersion = (v) => {
  settled = v;
  tell?.(v);
};

try {
  await client.connect(transport);
} catch (e) {
  console.log(String(e.message));
  process.exit(3);
}

const call = (name, args) => client.callTool({ name, arguments: args });
const out = {};
out.version = client.getNegotiatedProtocolVersion?.() ?? settled;
out.instructions = client.getInstructions();
out.tools = (await client.listTools()).tools.map((t) => t.name);
out.read = await call("read_texts", { days: 2 });
out.find = await call("find_contact", { word: "tremblay" });
out.number = await call("send_text", { to: "+15145550101", body: "x" });
out.half = await call("send_text", { to: "ma sœur", body: "a\ud83d" });
out.bad = await call("read_texts", { zqxzqx: "zqxzqx" });
try {
  await call("zqxzqx", {});
  out.unknown = "";
} catch (e) {
  out.unknown = String(e.message);
}
const all = await Promise.all(Array.from({ length: 20 }, () => call("find_contact", { word: "ma" })));
out.parallel = all.filter((r) => !r.isError).length;
await client.close();
console.log(JSON.stringify(out));
