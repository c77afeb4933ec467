import { Injectable } from '@nestjs/common';
import {
  type AiProvider,
  type Completion,
  type CompletionChunk,
  type CompletionRequest,
} from '../../provider/ai-provider';

const PIECE = 64;

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

  // eslint-disable-next-line @typescript-eslint/require-await -- the port is asynchronous, a preset is not
  async *stream(request: CompletionRequest): AsyncGenerator<CompletionChunk> {
    const text = JSON.stringify(request.preset());
    for (let at = 0; at < text.length; at += PIECE) yield { text: text.slice(at, at + PIECE) };
  }
}
