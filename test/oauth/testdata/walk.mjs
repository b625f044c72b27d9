// A client of the official TypeScript SDK with a provider of its own, which signs in as programs on the owner's machine do. The one argument says how; the address to open in a browser
// is printed as {"open": …}, and what came of all of it as {"done": …}.
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { join } from "node:path";

const ask = JSON.parse(process.argv[2]);
const require = createRequire(join(ask.modules, "x.js"));
const load = async (name) => import(pathToFileURL(require.resolve(name)).href);
const say = (o) => process.stdout.write(JSON.stringify(o) + "\n");

const sdk =
  ask.line === "v1"
    ? { ...(await load("@modelcontextprotocol/sdk/client/index.js")), ...(await load("@modelcontextprotocol/sdk/client/streamableHttp.js")) }
    : await load("@modelcontextprotocol/client");

// Where the browser comes back to.
let came;
let back = new Promise((resolve) => (came = resolve));
const listener = createServer((req, res) => {
  const at = new URL(req.url, "http://localhost");
  if (at.pathname !== "/callback") return res.writeHead(404).end();
  res.setHeader("Content-Type", "text/html");
  res.end("<!doctype html><title>back</title><p>You may close this window.");
  came(at.searchParams);
});
await new Promise((resolve) => listener.listen(0, "127.0.0.1", resolve));
const redirect = `http://localhost:${listener.address().port}/callback`;

const requests = [];
const fetched = async (url, init) => {
  const u = new URL(url.url ?? url);
  const r = await fetch(url, init);
  const body = init?.body ? String(init.body) : "";
  const grant = new URLSearchParams(body).get("grant_type");
  requests.push(`${init?.method ?? "GET"} ${u.pathname} ${r.status}${grant && u.pathname.startsWith("/oauth/") ? " " + grant : ""}`);
  return r;
};

let kept = {};
const opened = [];
const provider = {
  redirectUrl: redirect,
  clientMetadata: { client_name: ask.name, redirect_uris: [redirect], token_endpoint_auth_method: "none", grant_types: ["authorization_code", "refresh_token"], response_types: ["code"] },
  ...(ask.document ? { clientMetadataUrl: ask.document } : {}),
  state: () => (kept.state = crypto.randomUUID()),
  clientInformation: () => kept.client,
  saveClientInformation: (c) => void (kept.client = c),
  tokens: () => kept.tokens,
  saveTokens: (t) => void (kept.tokens = t),
  saveCodeVerifier: (v) => void (kept.verifier = v),
  codeVerifier: () => kept.verifier,
  redirectToAuthorization: (u) => void opened.push(String(u)),
  invalidateCredentials: (what) => {
    if (what === "all" || what === "tokens") delete kept.tokens;
    if (what === "all" || what === "client") delete kept.client;
  },
};

const fresh = async () => {
  const client = new sdk.Client({ name: "walk", version: "1" }, ask.line === "v1" ? {} : { versionNegotiation: { mode: "auto" } });
  const transport = new sdk.StreamableHTTPClientTransport(new URL(ask.url), { authProvider: provider, fetch: fetched });
  return { client, transport };
};
const fails = async (what) => {
  try {
    await what();
    return "";
  } catch (e) {
    return `${e.constructor.name}: ${e.message}`;
  }
};
const text = (r) => r.content.map((c) => c.text).join("\n");
const asked = () => requests.splice(0);

const out = {};
let { client, transport } = await fresh();
out.unauthorized = await fails(() => client.connect(transport));
out.discovery = asked();
out.client = kept.client?.client_id;
const state = kept.state;
say({ open: opened.at(-1) });

const params = await back;
out.state = params.get("state") === state;
out.iss = params.get("iss");
if (ask.line !== "v1") {
  // Another server's answer is not for this one: the client must find that out before it gives the code to anybody.
  const mixed = new URLSearchParams(params);
  mixed.set("iss", "https://evil.example");
  out.mixed = await fails(() => transport.finishAuth(mixed));
  out.mixedAsked = asked();
  await transport.finishAuth(params);
} else {
  await transport.finishAuth(params.get("code"));
}
out.exchange = asked();
out.scope = kept.tokens.scope;
const first = { ...kept.tokens };

({ client, transport } = await fresh());
await client.connect(transport);
out.read = text(await client.callTool({ name: "read_texts", arguments: { days: 2 } }));
out.send = text(await client.callTool({ name: "send_text", arguments: { to: ask.to, body: "On my way." } }));
asked();

// The access token is no longer good, as after an hour: the client finds a 401, and refreshes by itself.
const dead = first.access_token.slice(0, -4) + (first.access_token.endsWith("aaaa") ? "bbbb" : "aaaa");
kept.tokens = { ...kept.tokens, access_token: dead };
out.refreshed = text(await client.callTool({ name: "find_contact", arguments: { word: "tremblay" } }));
out.refresh = asked();
out.another = kept.tokens.access_token !== first.access_token && kept.tokens.refresh_token !== first.refresh_token && kept.tokens.access_token !== dead;

// It signs out: by the address that the server names for that.
const metadata = await (await fetch(new URL("/.well-known/oauth-authorization-server", ask.url))).json();
const revoked = await fetch(metadata.revocation_endpoint, {
  method: "POST",
  body: new URLSearchParams({ token: kept.tokens.refresh_token, token_type_hint: "refresh_token", client_id: out.client }),
});
out.revoked = revoked.status;
out.status = (
  await fetch(ask.url, {
    method: "POST",
    headers: { Authorization: `Bearer ${kept.tokens.access_token}`, "Content-Type": "application/json", Accept: "application/json, text/event-stream" },
    body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
  })
).status;
const before = opened.length;
out.after = await fails(() => client.callTool({ name: "read_texts", arguments: {} }));
out.afterAsked = asked();
out.again = opened.length === before + 1; // the owner would be asked once more
out.secrets = [first.access_token, first.refresh_token, params.get("code")];
await client.close().catch(() => {});
listener.close();
listener.closeAllConnections();
say({ done: out });
