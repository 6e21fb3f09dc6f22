import { graphql } from '../../../common/graphql.js';

export const rulesDocument = graphql(/* GraphQL */ `
  query LimitsRules {
    rateLimitRules {
      id
      document
      domain
      source
      version
      loadedAt
      lastError
      warnings
    }
  }
`);

export const putDocument = graphql(/* GraphQL */ `
  mutation LimitsPutRules($document: String!, $expectedVersion: String) {
    putRateLimitRules(input: { document: $document, expectedVersion: $expectedVersion }) {
      ruleSet {
        id
        document
        domain
        source
        version
        loadedAt
        lastError
        warnings
      }
      userErrors {
        code
        message
        path
      }
    }
  }
`);

export const dryRunDocument = graphql(/* GraphQL */ `
  mutation LimitsDryRun($document: String!) {
    putRateLimitRules(input: { document: $document, dryRun: true }) {
      ruleSet {
        id
        warnings
      }
      topCallers(first: 20) {
        near {
          caller
          plan
          rule
          utilisation
          seenAt
        }
        current {
          ...LimitsDecision
        }
        proposed {
          ...LimitsDecision
        }
      }
      userErrors {
        code
        message
        path
      }
    }
  }
`);

export const validateDocument = graphql(/* GraphQL */ `
  mutation LimitsValidate($document: String!) {
    putRateLimitRules(input: { document: $document, dryRun: true }) {
      userErrors {
        code
        message
        path
      }
    }
  }
`);

graphql(/* GraphQL */ `
  fragment LimitsDecision on RateLimitDecision {
    allowed
    outcome
    decidedBy
    remaining
    retryAfter
    resetAt
    violated
    guards
    tiers {
      rule
      name
      algorithm
      action
      fail
      shadow
      limit
      softLimit
      used
      remaining
      windowSeconds
      resetAt
    }
  }
`);
