import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { CATALOGUE } from './catalogue';
import { isRequested, type Language } from './language';
import { inWords, type Text, type Words } from './text';

interface SpokenLanguage {
  /** In lower case, as in `request.headers`. */
  readonly header: string;
  readonly tag: string;
  readonly words: Words;
}

/** Selects the language of an answer: the contract's Chinese, unless a header of the request selects another. */
@Injectable()
export class Languages {
  private spoken: readonly SpokenLanguage[] = [];
  private headers: readonly string[] = [];

  /** Sets the languages. Called once, when the application starts. */
  add(languages: readonly Language[]): void {
    this.spoken = languages.map(({ header, value, texts }) => ({
      header: header.toLowerCase(),
      tag: value,
      words: { ...CATALOGUE, ...texts },
    }));
    this.headers = [...new Map(languages.map(({ header }) => [header.toLowerCase(), header])).values()];
  }

  /** Returns the words for a request that is answered with a stream; sets no headers. */
  wordsFor(request: IncomingMessage): Words {
    if (this.spoken.length === 0) return CATALOGUE;
    return this.requestedIn(request)?.words ?? CATALOGUE;
  }

  /** Renders a text in the language of the request and sets the answer's language headers. */
  tell(message: Text, response: Response): string {
    const text = inWords(message);
    if (this.spoken.length === 0) return text;
    for (const header of this.headers) response.vary(header);
    const language = this.requestedIn(response.req);
    if (!language) return text;
    const translated = inWords(message, language.words);
    // An extension's plain text, or a text without translation, is not in the selected language.
    if (translated !== text) response.setHeader('Content-Language', language.tag);
    return translated;
  }

  private requestedIn({ headers }: IncomingMessage): SpokenLanguage | undefined {
    const requested = this.spoken.filter(({ header, tag }) => isRequested(headers[header], tag));
    // `de-CH` comes before `de`.
    return requested.toSorted((one, other) => other.tag.length - one.tag.length)[0];
  }
}
