import { type ExecutionContext } from '@nestjs/common';
import { aiCall } from '../../../test/support/ai-calls';
import { AiCall } from './ai-call';
import { AiCallContext, aiCallOf } from './ai-call-context';

describe('AiCallContext', () => {
  const call = aiCall();
  const context = new AiCallContext(call);

  it('stands for a handler: its one argument is the call, its metadata is on the prompt', () => {
    expect(context.getType()).toBe('ai');
    expect(context.getClass()).toBe(AiCall);
    expect(context.getHandler()).toBe(call.capability.prompt);
    expect(context.getArgs()).toHaveLength(1);
    expect(context.getArgs()[0]).toBe(call);
    expect(context.getArgByIndex(0)).toBe(call);
    expect(context.getArgByIndex(1)).toBeUndefined();
  });

  it.each(['switchToHttp', 'switchToRpc', 'switchToWs'] as const)('%s: there is no transport', (name) => {
    expect(() => context[name]()).toThrow('An AI call has no transport');
  });

  it('an interceptor of AI calls that is put around anything else says so', () => {
    expect(aiCallOf(context)).toBe(call);
    expect(() => aiCallOf({ call } as unknown as ExecutionContext)).toThrow('around AI calls only');
  });
});
