import { join } from 'node:path';
import { Injectable, StreamableFile } from '@nestjs/common';
import { Eta } from 'eta';
import type { Request } from 'express';
import { nextTurn } from '../platform/common/in-turns';
import { record, type RecordEnvelope } from '../platform/http/envelope';
import { csvOf } from './csv';
import type { DocumentLanguage, LabDocument } from './document';
import { type DocumentFormat, formatOf, MEDIA_TYPES } from './document-format';
import { cssString, formatted, hasLongWord, isTall } from './formatted';
import { workbookOf } from './workbook';

type FileFormat = Exclude<DocumentFormat, 'json'>;

@Injectable()
export class DocumentsService {
  private readonly templates = new Eta({ views: join(__dirname, 'templates'), cache: true });

  /**
   * The answer of a route that has a page and files, in the format of the request.
   * @param documentOf makes the page or file; not called for JSON
   */
  async answer<T>(
    request: Request,
    language: DocumentLanguage,
    data: T,
    documentOf: (data: T, language: DocumentLanguage) => LabDocument,
  ): Promise<RecordEnvelope<T> | StreamableFile> {
    const format = formatOf(request);
    return format === 'json' ? record(data) : this.file(format, documentOf(data, language), language);
  }

  async file(format: FileFormat, content: LabDocument, language: DocumentLanguage): Promise<StreamableFile> {
    const body = await this.render(format, content, language);
    return new StreamableFile(body, {
      type: format === 'xlsx' ? MEDIA_TYPES.xlsx : `${MEDIA_TYPES[format]}; charset=utf-8`,
      disposition: dispositionOf(format, content.fileName),
      length: body.length,
    });
  }

  private async render(
    format: FileFormat,
    content: LabDocument,
    language: DocumentLanguage,
  ): Promise<Buffer> {
    if (format === 'csv') return Buffer.from(await csvOf(content));
    if (format === 'xlsx') return workbookOf(content);
    const page = { content, language, formatted, hasLongWord, isTall, cssString, nextTurn };
    return Buffer.from(await this.templates.renderAsync('./document', page));
  }
}

/** Longest name of a file in characters: file systems take 255 bytes. */
const MAX_FILE_NAME = 80;

/** Characters that file systems do not accept in names. */
// eslint-disable-next-line no-control-regex
const FORBIDDEN_IN_FILE_NAME = /[\u0000-\u001f\u007f"*/:<>?\\|]/g;

/** A page is shown; a file is saved under its name (RFC 6266). */
export function dispositionOf(format: FileFormat, fileName: string): string {
  if (format === 'html') return 'inline';
  const short = Array.from(fileName.toWellFormed()).slice(0, MAX_FILE_NAME).join('');
  const name = `${short.replaceAll(FORBIDDEN_IN_FILE_NAME, '_')}.${format}`;
  const ascii = name.replaceAll(/[^\w.-]/g, '_');
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
