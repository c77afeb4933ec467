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
      'The rights of the role. `<kind>.create`: create records of this kind. `<kind>.change-all`, `change-own` or ' +
      '`change-some`: change all records of the kind, those of the account, or some; the access policy decides about ' +
      'each. `configuration.change`: write the configuration. `users.read`: read the names of accounts. ' +
      '`files.import`: import files of records that the account may write. `ai.<capability>`: use this AI function. ' +
      '`POST /api/ext/…`: use this route, which is not open to all roles. Later versions may add rights.',
    example: ['formula.create', 'formula.change-own', 'ingredient.change-all', 'ai.predict-formula'],
  })
  rights!: string[];
}
