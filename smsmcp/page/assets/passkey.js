// Passkeys, where the browser knows them. Everything else on the page works without this file.
"use strict";
(() => {
  if (!window.PublicKeyCredential || !navigator.credentials) return;
  const words = document.body.dataset;
  const bytes = (s) => Uint8Array.from(atob(s.replace(/-/g, "+").replace(/_/g, "/")), (c) => c.charCodeAt(0));
  const text = (b) => btoa(String.fromCharCode(...new Uint8Array(b))).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");

  async function post(path, body) {
    const answer = await fetch(path, {
      method: "POST", body: JSON.stringify(body), credentials: "same-origin", redirect: "error",
      headers: { "Content-Type": "application/json", "X-Readback-Token": words.token },
    });
    const said = await answer.json();
    if (!answer.ok) throw Object.assign(new Error(said.error), { forOwner: said.error });
    return said;
  }

  async function show(base, query, about) {
    const { publicKey } = await post(base + "/options", about ? { for: about } : {});
    publicKey.challenge = bytes(publicKey.challenge);
    const given = await navigator.credentials.get({ publicKey });
    const r = given.response;
    return post(base + "/passkey" + (query || ""), {
      id: given.id, rawId: text(given.rawId), type: given.type, clientExtensionResults: {},
      response: {
        authenticatorData: text(r.authenticatorData), clientDataJSON: text(r.clientDataJSON), signature: text(r.signature),
        userHandle: r.userHandle ? text(r.userHandle) : undefined,
      },
    });
  }

  async function add(name) {
    const { publicKey } = await post("/passkeys/options", {});
    publicKey.challenge = bytes(publicKey.challenge);
    publicKey.user.id = bytes(publicKey.user.id);
    for (const one of publicKey.excludeCredentials || []) one.id = bytes(one.id);
    const made = await navigator.credentials.create({ publicKey });
    return post("/passkeys/add", {
      name,
      credential: {
        id: made.id, rawId: text(made.rawId), type: made.type, clientExtensionResults: {},
        response: {
          attestationObject: text(made.response.attestationObject), clientDataJSON: text(made.response.clientDataJSON),
          transports: made.response.getTransports ? made.response.getTransports() : [],
        },
      },
    });
  }

  // prove has the passkey used: for one question alone, where a form names the field that says which.
  const prove = (form, field) => show("/prove", "", field && form.elements[field].value);

  // run does one thing at a time for an element, and says beside it what went wrong.
  async function run(where, button, work) {
    const problem = where.querySelector("[data-problem]");
    if (problem) problem.hidden = true;
    button.disabled = true;
    try {
      await work();
    } catch (e) {
      button.disabled = false;
      if (!problem) throw e;
      problem.textContent = e.forOwner || words.stopped;
      problem.hidden = false;
    }
  }

  for (const e of document.querySelectorAll("[data-script]")) e.hidden = false;
  for (const e of document.querySelectorAll("[data-no-script]")) e.hidden = true;
  for (const b of document.querySelectorAll("[data-sign-in]")) {
    b.addEventListener("click", () => run(b.parentElement, b, async () => {
      location.assign((await show("/sign-in", "?next=" + encodeURIComponent(b.dataset.signIn))).to);
    }));
  }
  for (const b of document.querySelectorAll("[data-use-passkey]")) {
    b.addEventListener("click", () => run(b.parentElement, b, async () => { await prove(b.form, b.dataset.usePasskey); b.form.submit(); }));
  }
  for (const f of document.querySelectorAll("[data-add]")) {
    f.addEventListener("submit", (e) => {
      e.preventDefault();
      run(f, f.querySelector("button"), async () => { location.assign((await add(f.elements.name.value)).to); });
    });
  }
  // A form that needs a proof asks for the passkey at once. Where none is given, the form goes anyway, and the page asks.
  for (const f of document.querySelectorAll("form[data-prove]")) {
    f.addEventListener("submit", async (e) => {
      e.preventDefault();
      f.querySelector("button").disabled = true;
      try { await prove(f, f.dataset.prove); } catch { /* the page asks */ }
      f.submit();
    });
  }
})();
