import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { AuthModule } from '../auth.module';
import { PeopleController } from './people.controller';
import { PeopleService } from './people.service';

@Module({
  imports: [AuthModule, DiscoveryModule],
  controllers: [PeopleController],
  providers: [PeopleService],
})
export class PeopleModule {}
