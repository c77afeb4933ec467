import { z } from 'zod';
import { aiCall, LIST, WORD } from '../../../../test/support/ai-calls';
import { InvalidAnswer } from '../../provider/ai-failure';
import { type AiCall } from '../ai-call';
import { checkedAnswer } from './checked-answer';

describe('checkedAnswer', () => {
  it('takes a bare list for the one that the capability names', () => {
    const list = [{ name: 'a' }];
    expect(checkedAnswer(aiCall({ capability: LIST }), '', list)).toEqual({ list });
    expect(() => checkedAnswer(aiCall({ capability: WORD }), '', list)).toThrow(InvalidAnswer);
  });

  const problemOf = (call: AiCall, value: unknown): unknown => {
    try {
      return checkedAnswer(call, 'text', value);
    } catch (error) {
      return (error as InvalidAnswer).problem;
    }
  };

  it('leaves an answer as it is that is none of a list', () => {
    expect(checkedAnswer(aiCall({ capability: WORD }), '', { word: 'a' })).toEqual({ word: 'a' });
    expect(checkedAnswer(aiCall({ capability: LIST }), '', { list: [] })).toEqual({ list: [] });
  });

  it.each<[string, unknown, string]>([
    ['no JSON', undefined, 'The answer is not JSON.'],
    ['a character that no text may hold', { word: 'a\u0000' }, 'word: 不能包含空字符'],
    ['no object', 5, '(root): Invalid input: expected object, received number'],
  ])('says what is wrong with %s', (_, value, problem) => {
    expect(problemOf(aiCall({ capability: WORD }), value)).toBe(problem);
  });

  it('names the place of a fault', () => {
    const problem = problemOf(aiCall({ capability: LIST }), [{ name: 'a' }, { name: 1 }]);
    expect(problem).toMatch(/^list\.1\.name: /);
  });

  it('names the first ten faults, and no more: a repair request has its bounds', () => {
    const fields = Array.from({ length: 11 }, (_, at) => `f${at}`);
    const schema = z.object(Object.fromEntries(fields.map((name) => [name, z.string()])));
    const call = aiCall({ capability: { ...WORD, schema } });
    expect(
      String(problemOf(call, {}))
        .split('; ')
        .map((fault) => fault.split(':')[0]),
    ).toEqual(fields.slice(0, 10));
  });
});
