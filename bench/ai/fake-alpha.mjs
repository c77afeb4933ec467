/*
 * A provider of the OpenAI protocol in a process of its own: answers at once, or not at all.
 *   node fake-alpha.mjs          prints its base URL
 * Prompts that hold "HANG" are never answered.
 */
import { createServer } from 'node:http';

const PREDICTION = JSON.stringify({
  sensoryIndex: { spreadability: 80, absorption: 70, stickiness: 12, overall: 79 },
  stabilityScore: 88,
  costEstimate: 23.4,
  confidence: 0.7,
  reasoning: 'From the fake.',
});

const server = createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const body = Buffer.concat(chunks).toString('utf8');
    if (body.includes('HANG')) return;
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify({
        id: 'x',
        object: 'chat.completion',
        created: 1,
        model: 'fake',
        choices: [{ index: 0, message: { role: 'assistant', content: PREDICTION }, finish_reason: 'stop' }],
        usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
      }),
    );
  });
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}/v1`));
