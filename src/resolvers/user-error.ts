import { FieldResolver, Resolver, Root } from 'type-graphql';
import type { UserError as Refusal } from '../platform/errors.js';
import { UserError } from '../schema/user-error.js';
import { UserErrorCode, type UserErrorCodeName } from '../schema/user-error-codes.js';

@Resolver(() => UserError)
export class UserErrorResolver {
  @FieldResolver(() => UserErrorCode, {
    nullable: true,
    description: '`code` as an enum, for typed clients. Null for a code that this schema does not list.',
  })
  codeEnum(@Root() { code }: Refusal): UserErrorCodeName | null {
    return Object.hasOwn(UserErrorCode, code) ? (code as UserErrorCodeName) : null;
  }
}
