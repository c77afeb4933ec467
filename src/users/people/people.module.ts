import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { AuthModule } from '../auth.module';
import { PeopleController } from './people.controller';
import { PeopleService } from './people.service';
import { Rights } from './rights';
import { SessionsController } from './sessions.controller';

@Module({
  imports: [AuthModule, DiscoveryModule],
  controllers: [PeopleController, SessionsController],
  providers: [PeopleService, Rights],
})
export class PeopleModule {}
