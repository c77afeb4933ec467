import { ApiProperty } from '@nestjs/swagger';
import { text } from '../../common/texts/text';
import { QueryTextField } from '../../common/validation/query-fields';

/** Most accounts that one request names. */
export const MAX_IDS = 200;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Characters of a UUID and of the comma behind it. */
const ID_LENGTH = 37;

export const idsOf = (list: string): string[] => list.split(',').map((id) => id.trim());

function idsFault(list: string) {
  const ids = idsOf(list);
  if (ids.length > MAX_IDS) return text('field.too-many-items', { max: MAX_IDS });
  return ids.every((id) => UUID.test(id)) ? undefined : text('field.not-a-uuid');
}

export class UsersQuery {
  @QueryTextField({
    presence: 'required',
    max: 2 * MAX_IDS * ID_LENGTH,
    rule: idsFault,
    description: `Ids of accounts, at most ${MAX_IDS}, separated by commas`,
    example: '7f1c2a34-5b6d-4e8f-9a0b-1c2d3e4f5a6b',
  })
  ids!: string;
}

/** An account, as others see it. */
export class UserNameDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ example: 'lin' })
  username!: string;
}

/** The account that is signed in. */
export class MeDto extends UserNameDto {
  @ApiProperty({ example: 'engineer' })
  role!: string;

  @ApiProperty({
    type: [String],
    description:
      'What the role may do now. `<kind>.create`: create records of this kind. `<kind>.change-all`, `change-own` or ' +
      '`change-some`: change all records of the kind, those of the account, or some, which show it when they are ' +
      'changed. `configuration.change`: write the configuration. `users.read`: ask for names of accounts. ' +
      '`files.import`: import files, with the rights to their records. `ai.<capability>`: ask the AI. ' +
      '`POST /api/ext/…`: use this route, which other roles may not. More may come.',
    example: ['formula.create', 'formula.change-own', 'ingredient.change-all', 'ai.predict-formula'],
  })
  rights!: string[];
}
