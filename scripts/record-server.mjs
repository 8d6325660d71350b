// Records how a real server answers, as fixtures for tests: the bytes of each reply with status and type, paths shortened.
// usage: node scripts/record-server.mjs llama-server http://127.0.0.1:8080 OUT.json
//        node scripts/record-server.mjs ollama http://127.0.0.1:11434 OUT.json MODEL
import { writeFileSync } from 'node:fs';

const [kind, url, out, model = 'any'] = process.argv.slice(2);
const messages = [{ role: 'user', content: 'Name a colour.' }];
const stream = { stream: true, stream_options: { include_usage: true }, temperature: 0, seed: 42 };
const options = { temperature: 0, seed: 42, num_predict: 6, num_ctx: 512 };

const calls = {
  'llama-server': {
    models: ['GET', '/v1/models'],
    props: ['GET', '/props'],
    metrics: ['GET', '/metrics'],
    chat: ['POST', '/v1/chat/completions', { ...stream, messages, max_tokens: 6 }],
    chatStopped: ['POST', '/v1/chat/completions', { ...stream, messages, max_tokens: 40, stop: [' a'] }],
    completionLogprobs: ['POST', '/v1/completions', { ...stream, prompt: 'The capital of France is', max_tokens: 3, logprobs: 2 }],
    emoji: ['POST', '/v1/completions', { ...stream, prompt: 'x', max_tokens: 12, grammar: 'root ::= "€🙂é"' }],
    whole: ['POST', '/v1/chat/completions', { messages, max_tokens: 3, temperature: 0 }],
    echo: ['POST', '/v1/completions', { prompt: 'The sky is blue', max_tokens: 1, echo: true, logprobs: 3, temperature: 0 }],
    overflow: ['POST', '/v1/completions', { ...stream, prompt: 'word '.repeat(3000), max_tokens: 3 }],
    badField: ['POST', '/v1/chat/completions', { ...stream, messages: 'none' }],
    applyTemplate: ['POST', '/apply-template', { messages }],
    tokenize: ['POST', '/tokenize', { content: 'A colour: 🙂', add_special: true, with_pieces: true }],
  },
  ollama: {
    version: ['GET', '/api/version'],
    tags: ['GET', '/api/tags'],
    load: ['POST', '/api/generate', { model, stream: false, options, keep_alive: '5m' }],
    ps: ['GET', '/api/ps'],
    show: ['POST', '/api/show', { model }],
    chat: ['POST', '/api/chat', { model, messages, options, stream: true }],
    chatStopped: ['POST', '/api/chat', { model, messages, options: { ...options, num_predict: 40, stop: [' a'] }, stream: true }],
    logprobs: ['POST', '/api/chat', { model, messages, options, stream: true, logprobs: true, top_logprobs: 2 }],
    raw: ['POST', '/api/generate', { model, prompt: 'The capital of France is', raw: true, options, stream: true }],
    cached: ['POST', '/api/generate', { model, prompt: 'The capital of France is', raw: true, options, stream: true }],
    overflowRefused: [
      'POST',
      '/api/chat',
      { model, messages: [{ role: 'user', content: 'word '.repeat(1000) }], options, stream: true, truncate: false, shift: false },
    ],
    overflowCut: ['POST', '/api/chat', { model, messages: [{ role: 'user', content: 'word '.repeat(1000) }], options, stream: true }],
    missing: ['POST', '/api/chat', { model: 'nothing:1b', messages }],
    schema: [
      'POST',
      '/api/chat',
      {
        model,
        messages,
        options: { ...options, num_predict: 20 },
        stream: true,
        format: { type: 'object', properties: { colour: { enum: ['red'] } }, required: ['colour'] },
      },
    ],
    unload: ['POST', '/api/generate', { model, stream: false, keep_alive: 0 }],
  },
}[kind];

const replies = {};
for (const [name, [method, path, body]] of Object.entries(calls)) {
  const reply = await fetch(url + path, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });
  const text = (await reply.text()).replaceAll(/(?<=["'])\/[^"'\s]*\/(?=[^"'/\s]+\.gguf)/gu, '/models/');
  replies[name] = { path, status: reply.status, type: reply.headers.get('content-type'), server: reply.headers.get('server'), body: text };
}
writeFileSync(out, `${JSON.stringify(replies, null, 1)}\n`);
console.log(`${Object.keys(replies).length} replies in ${out}`);
