import { Field, Float, ObjectType, registerEnumType } from 'type-graphql';
import { type Alert as AlertRecord, alertSeverities } from '../domains/notifications/index.js';
import { Node } from './relay.js';
import { DateTime } from './scalars.js';

const AlertSeverity = Object.fromEntries(alertSeverities.map((severity) => [severity, severity]));
registerEnumType(AlertSeverity, { name: 'AlertSeverity' });

/** `id` stands in the resolver. */
@ObjectType({
  implements: Node,
  simpleResolvers: true,
  description: 'Something that an operator should look at. At most one of a name and scope is active.',
})
export class Alert extends Node {
  @Field({ description: 'Which rule; docs/operations.md says of each what to do.' })
  name: string;
  @Field({ description: 'What it is about: a channel, or empty.' })
  scope: string;
  @Field(() => AlertSeverity)
  severity: AlertRecord['severity'];
  @Field()
  message: string;
  @Field(() => Float, { description: 'As it was when the alert was raised.' })
  value: number;
  @Field(() => Float)
  threshold: number;
  @Field(() => DateTime)
  raisedAt: Date;
  @Field(() => DateTime, { nullable: true, description: 'Null: it is active.' })
  resolvedAt: Date | null;
}

@ObjectType({ simpleResolvers: true })
export class AlertUpdate {
  @Field({ description: 'Goes on after this change.' })
  cursor: string;
  @Field(() => Alert)
  alert: AlertRecord;
}
