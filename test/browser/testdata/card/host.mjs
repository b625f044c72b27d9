// A chat as a client of MCP Apps makes one: the SDK's client talks to Readback, and the reference host's bridge to the cards. What its model would be given is kept in
// chat.model, so that a test can look for what must not be there.
import { AppBridge, PostMessageTransport, getToolUiResourceUri, isToolVisibilityAppOnly, RESOURCE_MIME_TYPE } from "@modelcontextprotocol/ext-apps/app-bridge";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

const ask = new URLSearchParams(location.search);
const me = { name: "chat", version: "1" };
const client = new Client(me, {
  capabilities: ask.get("draws") === "no" ? {} : { extensions: { "io.modelcontextprotocol/ui": { mimeTypes: [RESOURCE_MIME_TYPE] } } },
  versionNegotiation: { mode: ask.get("era") === "legacy" ? "legacy" : { pin: "2026-07-28" } },
});
await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", location.href), { requestInit: { headers: { Authorization: `Bearer ${location.hash.slice(1)}` } } }));
const { tools } = await client.listTools();
document.documentElement.dataset.theme = ask.get("theme") ?? "";

const model = [{ instructions: client.getInstructions() }, ...tools.filter((t) => !isToolVisibilityAppOnly(t))];

// call is the model's own: what it is given of the answer is the content.
const call = async (name, args) => {
  const r = await client.callTool({ name, arguments: args });
  model.push(r.content);
  return r;
};

const proxied = (frame) => new Promise((ready) => {
  window.addEventListener("message", function f(e) {
    if (e.source === frame.contentWindow && e.data?.method === "ui/notifications/sandbox-proxy-ready") {
      window.removeEventListener("message", f);
      ready();
    }
  });
});

// draw shows the card of a result; passed is what the card asked of its server.
const draw = async (result, args, options = {}) => {
  const uri = getToolUiResourceUri(tools.find((t) => t.name === "send_text"));
  const [document_] = (await client.readResource({ uri })).contents;
  if (document_.mimeType !== RESOURCE_MIME_TYPE || document_._meta?.ui?.csp || document_._meta?.ui?.permissions) throw new Error("the card asks for more than nothing");
  const frame = document.createElement("iframe");
  frame.sandbox = "allow-scripts allow-same-origin";
  frame.title = "card";
  const ready = proxied(frame);
  frame.src = `${ask.get("sandbox")}/sandbox.html?how=${ask.get("how") ?? "srcdoc"}`;
  document.querySelector("main").append(frame);
  await ready;
  const card = { frame, passed: [], said: [] };
  chat.cards.push(card);
  const bridge = new AppBridge(client, me, { ...(options.deaf ? {} : { serverTools: {} }), updateModelContext: { text: {} } }, {
    hostContext: { theme: ask.get("theme") ?? undefined, displayMode: "inline", availableDisplayModes: ["inline"] },
  });
  card.bridge = bridge;
  bridge.onupdatemodelcontext = async (p) => {
    card.said.push(p);
    model.push(p);
    return {};
  };
  bridge.onsizechange = ({ height }) => {
    if (height) frame.style.height = `${height + 2}px`;
  };
  const begun = new Promise((done) => { bridge.oninitialized = done; });
  const wire = new PostMessageTransport(frame.contentWindow, frame.contentWindow);
  await bridge.connect(wire);
  if (!options.deaf) {
    bridge.oncalltool = async (params) => {
      card.passed.push(params);
      if (options.lose-- > 0) throw new Error("lost");
      return client.callTool(params);
    };
  }
  await bridge.sendSandboxResourceReady({ html: document_.text });
  await begun;
  await options.before?.(card);
  await bridge.sendToolInput({ arguments: args });
  if (result) await bridge.sendToolResult(options.change ? options.change(structuredClone(result)) : result);
  else await bridge.sendToolCancelled({ reason: "user action" });
  return card;
};

const send = async (args, options) => {
  const result = await call("send_text", args);
  await draw(result, args, options);
  return result;
};

window.chat = { client, tools, model, cards: [], call, draw, send };
