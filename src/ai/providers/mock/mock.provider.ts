import { Injectable, Module } from '@nestjs/common';
import { nextTurn } from '../../../platform/common/in-turns';
import {
  AI_PROVIDER,
  type AiProvider,
  type Completion,
  type CompletionChunk,
  type CompletionRequest,
} from '../ai-provider';

/** Length of a chunk, in characters. */
const PIECE = 64;

/** Answers with the capability's preset. Its answers go through the same pipeline as those of any provider. */
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

  async complete(request: CompletionRequest): Promise<Completion> {
    // Some presets take 100 ms. Those of several requests do not run in one turn of the event loop.
    await nextTurn();
    return { text: JSON.stringify(request.preset()) };
  }

  async *stream(request: CompletionRequest): AsyncGenerator<CompletionChunk> {
    const text = JSON.stringify(request.preset());
    for (let at = 0; at < text.length; at += PIECE) {
      // Lets other requests run, as the pauses between network packets do.
      if (at % (64 * PIECE) === 0) await nextTurn();
      yield { text: text.slice(at, at + PIECE) };
    }
  }
}

@Module({ providers: [{ provide: AI_PROVIDER, useClass: MockProvider }] })
export class MockModule {}
