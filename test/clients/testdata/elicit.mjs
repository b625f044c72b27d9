// Has Readback ask for the owner's yes, with the official TypeScript SDK, and prints what was asked and what came of it as JSON. The one argument says how (see elicit_test.go).
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { join } from "node:path";

const ask = JSON.parse(process.argv[2]);
const require = createRequire(join(ask.modules, "x.js"));
const load = (name) => import(pathToFileURL(require.resolve(name)).href);

const me = { name: "readback-test", version: "1" };
const capabilities = ask.capabilities;
const http = { requestInit: { headers: { Authorization: `Bearer ${ask.token}` } } };
const child = { command: ask.command, args: ask.args, stderr: "inherit" };
let client, transport, method;
if (ask.era === "v1") {
  const { Client } = await load("@modelcontextprotocol/sdk/client/index.js");
  const { StdioClientTransport } = await load("@modelcontextprotocol/sdk/client/stdio.js");
  const { ElicitRequestSchema } = await load("@modelcontextprotocol/sdk/types.js");
  client = new Client(me, { capabilities });
  transport = new StdioClientTransport(child);
  method = ElicitRequestSchema;
} else {
  const { Client, StreamableHTTPClientTransport } = await load("@modelcontextprotocol/client");
  client = new Client(me, { capabilities, versionNegotiation: { mode: { modern: { pin: "2026-07-28" }, legacy: "legacy" }[ask.era] } });
  if (ask.transport === "http") {
    transport = new StreamableHTTPClientTransport(new URL(ask.url), http);
  } else {
    const { StdioClientTransport } = await load("@modelcontextprotocol/client/stdio");
    transport = new StdioClientTransport(child);
  }
  method = "elicitation/create";
}

const asked = [];
if (capabilities.elicitation) {
  client.setRequestHandler(method, (request) => {
    asked.push(request.params);
    if (ask.answer === "throw") throw new Error("the user interface broke");
    return ask.answer;
  });
}
await client.connect(transport);
const progress = [];
const result = await client.callTool({ name: "send_text", arguments: { to: ask.to, body: ask.body } }, ...(ask.era === "v1" ? [undefined] : []), { onprogress: (p) => progress.push(p) });
await client.close();
console.log(JSON.stringify({ asked, result, progress: progress.length }));
