// What `@nestjs/mapped-types` uses, too; the package has no types at this place.
declare module 'class-transformer/cjs/storage' {
  export { defaultMetadataStorage } from 'class-transformer/types/storage';
}
