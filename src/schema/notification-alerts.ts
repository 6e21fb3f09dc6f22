import { Field, Float, ObjectType } from 'type-graphql';
import type { Alert as AlertRecord } from '../domains/notifications/index.js';
import { enumOf } from './enums.js';
import { Node } from './relay.js';
import { DateTime } from './scalars.js';

const AlertSeverity = enumOf<AlertRecord['severity']>('AlertSeverity', 'How urgent an alert is.', {
  WARNING: 'Somebody should look at it today.',
  CRITICAL: 'Somebody should look at it now.',
});

@ObjectType({
  implements: Node,
  simpleResolvers: true,
  description: 'Something that an operator should look at. At most one of a name and scope is active.',
})
export class Alert extends Node {
  @Field({ description: 'The rule that raised it; docs/operations.md says for each what to do.' })
  name: string;
  @Field({
    description: 'The channel, or the webhook, that it is about. Empty where it is about all channels.',
  })
  scope: string;
  @Field(() => AlertSeverity, { description: 'How urgent it is.' })
  severity: AlertRecord['severity'];
  @Field({ description: 'One sentence for the operator.' })
  message: string;
  @Field(() => Float, { description: 'What was measured when it was raised.' })
  value: number;
  @Field(() => Float, { description: 'The bound that was passed.' })
  threshold: number;
  @Field(() => DateTime, { description: 'When it was raised.' })
  raisedAt: Date;
  @Field(() => DateTime, { nullable: true, description: 'When it was over. Null while it is active.' })
  resolvedAt: Date | null;
}

@ObjectType({ simpleResolvers: true, description: 'An alert was raised or resolved.' })
export class AlertUpdate {
  @Field({ description: 'Pass it as `after` to go on after this update.' })
  cursor: string;
  @Field(() => Alert, { description: 'The alert as it is after this change.' })
  alert: AlertRecord;
}
