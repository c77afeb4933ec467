import { applyDecorators, type Type } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { text } from '../texts/text';
import { EnumField, TextField } from '../validation/fields';
import { type RuntimeSettings } from './runtime-configuration';

/** null clears a stored value, as an empty text does. */
const emptyForNull = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) =>
    value === null ? '' : typeof value === 'string' ? value.trim() : value,
  );

/** A key is sent in an HTTP header. */
const keyFault = (key: string) => (/^[\x21-\x7e]*$/.test(key) ? undefined : text('field.not-visible-ascii'));

const KeyField = (description: string, example: string): PropertyDecorator =>
  applyDecorators(
    emptyForNull(),
    TextField({ presence: 'optional', max: 1_000, description, example, rule: keyFault }),
    ApiProperty({ required: false, pattern: '^[!-~]*$' }),
  );

const AddressField = (description: string, example: string): PropertyDecorator =>
  applyDecorators(
    emptyForNull(),
    TextField({ presence: 'optional', max: 2_000, description, example, rule: addressFault }),
    ApiProperty({ required: false, pattern: '^(https?://.*)?$' }),
  );

const addressFault = (address: string) =>
  address === '' || isAddress(address) ? undefined : text('field.not-an-address');

/** Clients refuse addresses with credentials at every call. */
function isAddress(text: string): boolean {
  try {
    const url = new URL(text);
    return (
      /^https?:$/.test(url.protocol) &&
      url.username === '' &&
      url.password === '' &&
      url.search === '' &&
      url.hash === ''
    );
  } catch {
    return false;
  }
}

/** All fields are optional. An empty text removes the stored value, and the environment's value applies again. */
export class UpdateConfigurationDto {
  @KeyField('API key for provider alpha; never returned', 'sk-...')
  alphaKey?: string;

  @KeyField('API key for provider beta; never returned', 'sk-ant-...')
  betaKey?: string;

  @AddressField(
    'Address of provider alpha, ending in /v1 where the server has one',
    'https://api.openai.com/v1',
  )
  alphaBaseUrl?: string;

  @AddressField('Address of provider beta, without /v1', 'https://api.anthropic.com')
  betaBaseUrl?: string;

  @EnumField({
    presence: 'optional',
    values: ['true', 'false'],
    description: 'Mock mode on or off',
    example: 'true',
  })
  aiMock?: 'true' | 'false' | null;
}

/** Adds the key and address of further AI providers to the class. */
export function configurationOf(providers: readonly string[]): Type<UpdateConfigurationDto> {
  class UpdateConfigurationOfProvidersDto extends UpdateConfigurationDto {}
  for (const name of providers) {
    const { prototype } = UpdateConfigurationOfProvidersDto;
    const [key, address] = fieldsOfProvider(name);
    KeyField(`API key for provider ${name}; never returned`, 'sk-...')(prototype, key);
    AddressField(`Address of provider ${name}`, 'https://ai.example.com/v1')(prototype, address);
  }
  return UpdateConfigurationOfProvidersDto;
}

/** Returns the names of the settings for a provider's key and address. */
export const fieldsOfProvider = (name: string): readonly [key: string, address: string] => [
  `${name}Key`,
  `${name}BaseUrl`,
];

export class ConfigurationDto {
  @ApiProperty({
    enum: ['true', 'false'],
    description: 'Whether AI features answer with preset data',
    example: 'true',
  })
  aiMock!: 'true' | 'false';

  @ApiProperty({ description: 'Whether a key for alpha is configured', example: false })
  hasAlpha!: boolean;

  @ApiProperty({ description: 'Whether a key for beta is configured', example: false })
  hasBeta!: boolean;

  static of(settings: RuntimeSettings): ConfigurationDto {
    return {
      aiMock: settings.aiMock ? 'true' : 'false',
      hasAlpha: settings.provider('alpha').key !== undefined,
      hasBeta: settings.provider('beta').key !== undefined,
    };
  }
}

export class OkDto {
  @ApiProperty({ enum: [true], type: Boolean, example: true })
  ok!: true;
}
