import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import {
  type AiProvider,
  type Completion,
  type CompletionChunk,
  type CompletionRequest,
} from '../../provider/ai-provider';

/** Characters of a piece of an answer. */
const PIECE = 64;

/** Pieces that come one right after the other. */
const PIECES_IN_A_ROW = 64;

/** Answers with the capability's preset; its answers take the same way as any provider's. */
@Injectable()
export class MockProvider implements AiProvider {
  readonly name = 'mock';
  readonly role = 'presets';
  readonly defaultModel = 'mock';
  readonly capabilities = { remote: false, streaming: true };

  serves(): boolean {
    return false;
  }

  isConfigured(): Promise<boolean> {
    return Promise.resolve(true);
  }

  complete(request: CompletionRequest): Promise<Completion> {
    return Promise.resolve({ text: JSON.stringify(request.preset()) });
  }

  async *stream(request: CompletionRequest): AsyncGenerator<CompletionChunk> {
    const text = JSON.stringify(request.preset());
    for (let at = 0; at < text.length; at += PIECE) {
      // As between the packets of a network, other requests have their turn.
      if (at % (PIECES_IN_A_ROW * PIECE) === 0) await setImmediate();
      yield { text: text.slice(at, at + PIECE) };
    }
  }
}
