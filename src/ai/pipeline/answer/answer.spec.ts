import { z } from 'zod';
import { aiCall, LIST, WORD } from '../../../../test/support/ai-calls';
import { InvalidAnswer } from '../../../platform/common/errors/ai-failure';
import type { AiCall } from '../ai-call';
import { checkedAnswer, findAnswer, readAnswer } from './answer';

const GOOD = '{"list":[{"name":"final"}]}';
const DRAFT = '{"list":[{"name":"draft"}]}';

describe('findAnswer', () => {
  const found = (text: string) => findAnswer(aiCall({ capability: LIST }), text);

  it.each([
    GOOD,
    '[{"name":"final"}]',
    `\ufeff${GOOD}\u00a0`,
    `\`\`\`json\n${GOOD}\n\`\`\``,
    `~~~json5\n${GOOD}\n~~~`,
    `The list: [{"name":"final"}] as asked [1]`,
    // Reasoning with brackets in it.
    `<think>maybe {"list": []} or {x}</think>${GOOD}`,
    `I think [1] and {x}</think>${GOOD}`,
    `I think [1], {x}, {{y}} and f([a,b]).\n${GOOD}`,
    `<thinking>${DRAFT}, no</thinking>\n\`\`\`json\n${GOOD}\n\`\`\``,
    `<think>The "name" {a: "b} or ["c, then {"d</think>${GOOD}`,
    `<think>first {"list":[{"name": or so</think>${GOOD}`,
    `<think>[see ${DRAFT} there]</think>${GOOD}`,
    `<|channel|>analysis<|message|>{x}<|end|><|channel|>final<|message|>${GOOD}`,
    // Drafts before, remarks behind.
    `Draft:\n\`\`\`json\n${DRAFT}\n\`\`\`\nFinal:\n\`\`\`json\n${GOOD}\n\`\`\``,
    `${DRAFT}\n${GOOD}`,
    `Sure, [list]: {x}\n${GOOD}`,
    `${GOOD}\n\nNote: {w/w} [1] [] {} ["a"] {"note": "5 %"} {"note": w/w} :-{`,
    // JSON as text.
    JSON.stringify(GOOD),
    JSON.stringify(JSON.stringify(GOOD)),
    JSON.stringify(JSON.stringify(JSON.parse(GOOD), null, 2)),
    `Here: ${JSON.stringify(`\n ${GOOD}`)}.`,
    `He said "{x}" and 5" {x\n${JSON.stringify(GOOD)}`,
    '{"list":"[{\\"name\\":\\"final\\"}]"}',
    // Envelopes.
    `{"name":"list","arguments":${GOOD}}`,
    `{"name":"list","arguments":${JSON.stringify(GOOD)}}`,
    `[${DRAFT},${GOOD}]`,
  ])('finds the answer in %j', (text) => {
    expect(found(text)).toEqual({ kind: 'answer', answer: { list: [{ name: 'final' }] } });
  });

  it.each(['[]', '```json\n[]\n```', 'There is none: []', '"[]"', '{"list":[]}', `${GOOD}{"list":[]}`])(
    'takes %j for an empty list',
    (text) => expect(found(text)).toEqual({ kind: 'answer', answer: { list: [] } }),
  );

  it.each([
    ['{"list":[{"nome":1}]}', /^list\.0\.name: /],
    ['{"list":[{"name":"a"},]}', /not JSON/],
    ['{"list":[{\'name\':1}]}', /not JSON/],
    ['{"list": [ ... ]}', /not JSON/],
    ['[{"nome":1}]', /^list\.0\.name: /],
    ['{"list":"[nothing]"}', /^list: /],
  ])('takes no draft for the answer where that is %j', (text, problem) => {
    for (const before of ['', `${DRAFT}\n`, `<think>${DRAFT}</think>`]) {
      expect(found(before + text)).toEqual({ kind: 'invalid', problem: expect.stringMatching(problem) });
    }
  });

  it.each(['{"list":[{"name":"fi', '{"list":[', '{"li', '[{"name":"a"},'])(
    'knows that %j breaks off, whatever stands before',
    (text) => {
      for (const before of ['', DRAFT, 'Now: ']) expect(found(before + text)).toMatchObject({ kind: 'cut' });
    },
  );

  it.each([
    '',
    ' ',
    'Sorry.',
    '{x}',
    '[1] and []',
    '{"variants":[{"name":"a"}]}',
    '{"type":"object"}',
    '5',
    '"a"',
  ])('finds none in %j', (text) => expect(found(text)).toMatchObject({ kind: 'none' }));

  it('takes a number or a word where that is the answer', () => {
    const call = (schema: z.ZodType<any>) => aiCall({ capability: { ...WORD, schema } });
    expect(findAnswer(call(z.number()), ' 5\n')).toEqual({ kind: 'answer', answer: 5 });
    expect(findAnswer(call(z.string()), '"a"')).toEqual({ kind: 'answer', answer: 'a' });
    expect(findAnswer(call(z.array(z.string())), 'So: ["a"]')).toEqual({ kind: 'answer', answer: ['a'] });
  });

  it('tries a few of many values only', () => {
    const tried = jest.fn();
    const schema = z.object({ word: z.string().refine(tried) });
    findAnswer(aiCall({ capability: { ...WORD, schema } }), '{"a":1}'.repeat(10_000));
    expect(tried).not.toHaveBeenCalled();
    expect(found('{"a":1}'.repeat(10_000))).toMatchObject({ kind: 'none' });
  });
});

describe('readAnswer, checkedAnswer', () => {
  const problemOf = (call: AiCall, text: string): unknown => {
    try {
      return readAnswer(call, text);
    } catch (error) {
      expect(error).toMatchObject({ kind: 'invalid-answer', answer: text });
      return (error as InvalidAnswer).problem;
    }
  };

  it('take a bare list only for the one that the capability names', () => {
    const list = [{ name: 'a' }];
    expect(checkedAnswer(aiCall({ capability: LIST }), list)).toEqual({ list });
    expect(() => checkedAnswer(aiCall({ capability: WORD }), list)).toThrow(InvalidAnswer);
  });

  it.each<[string, string, string]>([
    ['no JSON', 'no', 'The answer is not JSON.'],
    ['a character that no text may hold', '{"word":"a\\u0000"}', 'word: 不能包含空字符'],
    ['no object', '5', '(root): Invalid input: expected object, received number'],
  ])('say what is wrong with %s', (_, text, problem) => {
    expect(problemOf(aiCall({ capability: WORD }), text)).toBe(problem);
  });

  it('name the place of a fault', () => {
    const problem = problemOf(aiCall({ capability: LIST }), '[{"name":"a"},{"name":1}]');
    expect(problem).toMatch(/^list\.1\.name: /);
  });

  it('name the first ten faults, and no more: a repair request has its bounds', () => {
    const fields = Array.from({ length: 11 }, (_, at) => `f${at}`);
    const schema = z.object(Object.fromEntries(fields.map((name) => [name, z.string()])));
    const call = aiCall({ capability: { ...WORD, schema } });
    expect(
      String(problemOf(call, '{}'))
        .split('; ')
        .map((fault) => fault.split(':')[0]),
    ).toEqual(fields.slice(0, 10));
  });
});
