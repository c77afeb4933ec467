import { lastValueFrom, of } from 'rxjs';
import { aiCall, answer, WORD } from '../../../test/support/ai-calls';
import { type AiStrategy } from '../provider/ai-strategy';
import { type AiCall } from './ai-call';
import { AiLimits } from './ai-limits';
import { type AiPipeline } from './ai-pipeline';
import { AiService, type CallOptions } from './ai.service';

describe('AiService', () => {
  async function policyOf(options?: CallOptions) {
    const made: AiCall[] = [];
    const { provider, model } = aiCall();
    const service = new AiService(
      { current: () => Promise.resolve({ provider, model }) } as AiStrategy,
      {
        run: (call: AiCall) => {
          made.push(call);
          return of(answer({ word: 'a' }));
        },
      } as AiPipeline,
      new AiLimits(),
    );
    await lastValueFrom(service.call(WORD, 'x', options));
    return made.map(({ policy }) => policy);
  }

  it('calls go by the limits and by what the capability says', async () => {
    expect(await policyOf()).toEqual([{ ...new AiLimits(), cache: true, whenFailed: 'preset' }]);
  });

  it('what a caller says counts before both', async () => {
    const policy = { deadlineMs: 1, attemptMs: 2, retries: 0, cache: false, whenFailed: 'failure' } as const;
    expect(await policyOf({ policy })).toEqual([policy]);
  });
});
