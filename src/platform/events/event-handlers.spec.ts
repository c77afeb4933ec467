import { Module, type Type } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { ExtensionError } from '../common/extension-tokens';
import { EVENT_HANDLER, type EventHandler, EventHandlers } from './event-handlers';
import { WRITE_VALIDATOR, WriteValidators } from './write-validators';

const start = async (extension: Type) => {
  const module = await Test.createTestingModule({
    imports: [DiscoveryModule, extension],
    providers: [EventHandlers, WriteValidators],
  }).compile();
  await module.init();
  return module.get(EventHandlers);
};

describe('EventHandlers', () => {
  it('finds those of an event once each, in the order of the modules, single or listed', async () => {
    const first: EventHandler = {
      name: 'first',
      events: ['formula.created', 'formula.created'],
      afterCommit: () => undefined,
    };
    const second: EventHandler = {
      name: 'second',
      events: ['formula.created', 'formula.deleted'],
      inTransaction: () => undefined,
    };
    @Module({ providers: [{ provide: EVENT_HANDLER, useValue: first }] })
    class FirstModule {}
    @Module({ imports: [FirstModule], providers: [{ provide: EVENT_HANDLER, useFactory: () => [second] }] })
    class BothModule {}
    const handlers = await start(BothModule);
    expect(new Set(handlers.byType.get('formula.created'))).toEqual(new Set([first, second]));
    expect(handlers.byType.get('formula.created')).toHaveLength(2);
    expect(handlers.byType.get('formula.deleted')).toEqual([second]);
    expect(handlers.byType.get('project.created')).toBeUndefined();
    expect(handlers.receivers).toEqual([first]);
  });
});

describe('The start is refused', () => {
  const handlerModule = (...handlers: unknown[]): Type => {
    @Module({ providers: [{ provide: EVENT_HANDLER, useValue: handlers }] })
    class HandlersModule {}
    return HandlersModule;
  };
  const validatorModule = (given: unknown): Type => {
    @Module({ providers: [{ provide: WRITE_VALIDATOR, useValue: given }] })
    class ValidatorsModule {}
    return ValidatorsModule;
  };
  const right: EventHandler = { name: 'right', events: ['formula.created'], afterCommit: () => undefined };

  it.each([
    [
      'a handler without a name',
      handlerModule({ ...right, name: undefined }),
      'EVENT_HANDLER in HandlersModule must have a name',
    ],
    ['a name that is none', handlerModule({ ...right, name: 'Röhre' }), 'must have a name'],
    [
      'no events',
      handlerModule({ ...right, events: [] }),
      'EVENT_HANDLER right in HandlersModule must have events',
    ],
    [
      'unknown events',
      handlerModule({ ...right, events: ['formula.eaten'] }),
      'asks for events that there are not: formula.eaten',
    ],
    [
      'no method',
      handlerModule({ ...right, afterCommit: undefined }),
      'must have inTransaction() or afterCommit()',
    ],
    [
      'a method that is none',
      handlerModule({ ...right, inTransaction: 'x' }),
      'must have inTransaction() or afterCommit()',
    ],
    [
      'two of a name',
      handlerModule(right, right),
      'EVENT_HANDLER is named right in HandlersModule and HandlersModule',
    ],
    ['nothing', handlerModule(null), 'must have a name'],
    [
      'a validator without faults()',
      validatorModule({ writes: ['formula.created'] }),
      'WRITE_VALIDATOR in ValidatorsModule must have writes',
    ],
    [
      'a validator of deletions',
      validatorModule({ writes: ['formula.deleted'], faults: () => [] }),
      'names what has no input to validate: formula.deleted',
    ],
  ])('by %s', async (_, extension, message) => {
    const refusal = start(extension);
    await expect(refusal).rejects.toThrow(ExtensionError);
    await expect(refusal).rejects.toThrow(message);
  });
});
