// Talks to a model and scores two continuations with the same engine. Run: node examples/use-a-model.ts [model]
import { defaultGenerationSettings, loadModel } from 'slmbench';

const model = await loadModel(process.argv[2] ?? 'toy', { threads: 1 });
try {
  const answer = await model.generate({
    prompt:
      model.capabilities.chat && model.model.hasChatTemplate
        ? { kind: 'chat', messages: [{ role: 'user', content: 'Name a colour.' }] }
        : { kind: 'text', text: 'the sky is ' },
    settings: { ...defaultGenerationSettings, maxTokens: 16 },
  });
  console.log(
    `answer: ${JSON.stringify(answer.text)} (${answer.usage.completionTokens} tokens, TTFT ${answer.timing.ttftMs?.toFixed(0)} ms)`,
  );

  const { choices } = await model.score({
    prompt: { kind: 'text', text: 'The capital of France is' },
    choices: [{ continuation: ' Paris' }, { continuation: ' Rome' }],
  });
  console.log(`log P: Paris ${choices[0]?.logprob.toFixed(3)}, Rome ${choices[1]?.logprob.toFixed(3)}`);
} finally {
  await model.close();
}
