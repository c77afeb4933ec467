export { DatabaseService as Database, type Statement, type DatabaseLoad } from './database.service';
