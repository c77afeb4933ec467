import { ApiProperty } from '@nestjs/swagger';

/** An account by its id and name. */
export class AccountNameDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Null where the access policy does not let the account read names',
    example: 'lin',
  })
  username!: string | null;
}
