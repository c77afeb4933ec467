import { ApiProperty } from '@nestjs/swagger';
import { ROLES, type Role } from '../../common/current-user';

/** Who is signed in. */
export class AccountDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ example: 'lin' })
  username!: string;

  @ApiProperty({ enum: ROLES, example: 'engineer' })
  role!: Role;
}

/** The answer to registration and login. */
export class SessionDto extends AccountDto {
  @ApiProperty({ description: 'Bearer token, valid for 24 hours' })
  token!: string;
}
