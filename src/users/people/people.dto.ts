import { ApiProperty, PickType } from '@nestjs/swagger';
import { EXAMPLE_IDS } from '../../platform/openapi/example-ids';
import { AccountDto } from '../credentials.dto';
import { IdListField } from '../../platform/validation/id-list';

/** An account by its id and name. */
export class AccountNameDto extends PickType(AccountDto, ['id']) {
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Null where the access policy does not let the account read names',
    example: 'lin',
  })
  username!: string | null;
}

export class UsersQuery {
  @IdListField({ description: 'Ids of accounts', example: EXAMPLE_IDS.user })
  ids!: string;
}

/** An account, as others see it. */
export class UserNameDto extends PickType(AccountDto, ['id', 'username']) {}

/** The account that is signed in. */
export class MeDto extends AccountDto {
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
