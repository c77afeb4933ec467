import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { isEnglish } from '../platform/texts/languages';
import { EnumField } from '../platform/validation/fields';
import { type DocumentLanguage, LANGUAGES } from './document';

/** The language of a request without `lang`: English with `X-Language: en`, else Chinese. */
export const requestLanguage = (): DocumentLanguage => (isEnglish() ? 'en' : 'zh');

/** The parameter `lang` of a query, which `requestLanguage()` initialises. */
export const LanguageField = (description: string): PropertyDecorator =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) => (value === '' ? requestLanguage() : value)),
    EnumField({
      values: LANGUAGES,
      presence: 'omittable',
      description: `${description}. Default: en for requests with \`X-Language: en\`, else zh`,
    }),
  );
