import { z } from 'zod';
import { aiCall, LIST, WORD } from '../../../../test/support/ai-calls';
import { InvalidAnswer } from '../../provider/ai-failure';
import { checkedAnswer } from './checked-answer';

describe('checkedAnswer', () => {
  it('takes a bare list for the one that the capability names', () => {
    const list = [{ name: 'a' }];
    expect(checkedAnswer(aiCall({ capability: LIST }), '', list)).toEqual({ list });
    expect(() => checkedAnswer(aiCall({ capability: WORD }), '', list)).toThrow(InvalidAnswer);
  });

  it('names the first ten faults, and no more: a repair request has its bounds', () => {
    const fields = Array.from({ length: 11 }, (_, at) => `f${at}`);
    const schema = z.object(Object.fromEntries(fields.map((name) => [name, z.string()])));
    const call = aiCall({ capability: { ...WORD, schema } });
    let problem = '';
    try {
      checkedAnswer(call, 'text', {});
    } catch (error) {
      ({ problem } = error as InvalidAnswer);
    }
    expect(problem.split('; ').map((fault) => fault.split(':')[0])).toEqual(fields.slice(0, 10));
  });
});
