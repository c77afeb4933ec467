import { type ArgumentMetadata, Injectable, ValidationPipe } from '@nestjs/common';
import { InvalidInputError } from '../errors/service-error';
import { freeJsonFields } from './free-json';
import { fieldFaults } from './validation-faults';

/** A request class whose faults are worded as a whole rather than field by field (registration, login). */
export interface WordsItsFaults {
  /** The exact text for a raw body, or nothing when the general format applies. */
  faultText(body: Record<string, unknown>): string | undefined;
}

/** Validates bodies and query parameters against their class; unknown fields are dropped, never an error. */
@Injectable()
export class InputPipe extends ValidationPipe {
  constructor() {
    super({
      transform: true,
      whitelist: true,
      stopAtFirstError: true,
      exceptionFactory: (errors) => InvalidInputError.of(fieldFaults(errors)),
    });
  }

  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    if (metadata.type !== 'body' || !this.toValidate(metadata)) return super.transform(value, metadata);
    const body = value === undefined ? {} : value;
    if (typeof body !== 'object' || body === null || Array.isArray(body)) {
      throw new InvalidInputError('请求体必须是 JSON 对象');
    }
    const words = (metadata.metatype as unknown as Partial<WordsItsFaults> | undefined)?.faultText;
    const text = words?.(body as Record<string, unknown>);
    if (text !== undefined) throw new InvalidInputError(text);
    return this.aroundFreeJson(body as Record<string, unknown>, metadata);
  }

  /** Free-form JSON passes by: transforming it would drop keys such as `constructor`, and trip over them. */
  private async aroundFreeJson(body: Record<string, unknown>, metadata: ArgumentMetadata): Promise<unknown> {
    const free = freeJsonFields(metadata.metatype as new () => object);
    if (free.length === 0) return super.transform(body, metadata);
    const rest = { ...body };
    for (const name of free) delete rest[name];
    const input = (await super.transform(rest, metadata)) as Record<string, unknown>;
    for (const name of free) input[name] = Object.hasOwn(body, name) ? body[name] : undefined;
    return input;
  }
}
