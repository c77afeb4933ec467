import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { CATALOGUE } from './catalogue';
import type { Language } from './language';
import { inWords, type Text, type Words } from './text';

interface SpokenLanguage {
  /** In lower case, as requests have it. */
  readonly header: string;
  readonly asked: string;
  readonly tag: string;
  readonly words: Words;
}

/** The language of an answer: the contract's Chinese, unless the request asks for another by its header. */
@Injectable()
export class Languages {
  private spoken: readonly SpokenLanguage[] = [];
  private headers: readonly string[] = [];

  /** Adds languages. Called once, when the application starts. */
  add(languages: readonly Language[]): void {
    this.spoken = languages.map(({ header, value, texts }) => ({
      header: header.toLowerCase(),
      asked: value.toLowerCase(),
      tag: value,
      words: { ...CATALOGUE, ...texts },
    }));
    this.headers = [...new Map(languages.map(({ header }) => [header.toLowerCase(), header])).values()];
  }

  /** The words for a request that is answered in a stream, whose headers tell nothing of them. */
  wordsFor(request: IncomingMessage): Words {
    if (this.spoken.length === 0) return CATALOGUE;
    return this.askedFor(request)?.words ?? CATALOGUE;
  }

  /** The text in the language of the request that is answered; the answer's headers say so. */
  tell(message: Text, response: Response): string {
    const text = inWords(message);
    if (this.spoken.length === 0) return text;
    for (const header of this.headers) response.vary(header);
    const language = this.askedFor(response.req);
    if (!language) return text;
    const translated = inWords(message, language.words);
    // What an extension tells in its own words, and what it has not translated, is in no other language.
    if (translated !== text) response.setHeader('Content-Language', language.tag);
    return translated;
  }

  private askedFor({ headers }: IncomingMessage): SpokenLanguage | undefined {
    return this.spoken.find(({ header, asked }) => {
      const value = headers[header];
      return typeof value === 'string' && value.trim().toLowerCase() === asked;
    });
  }
}
