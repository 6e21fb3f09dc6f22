import '../fragments.js';
import { graphql } from '../../common/graphql.js';

export const Preferences = graphql(/* GraphQL */ `
  query ReaderPreferences {
    notificationPreferences {
      id
      userId
      preferences {
        notificationType
        channel
        enabled
      }
      settings {
        digestFrequency
        marketingOptIn
        quietHoursStart
        quietHoursEnd
        timezone
        email
        phone
        language
      }
    }
  }
`);

export const SetPreferences = graphql(/* GraphQL */ `
  mutation ReaderSetPreferences($preferences: [ChannelPreferenceInput!]!) {
    setNotificationPreferences(input: { preferences: $preferences }) {
      preferences {
        id
        preferences {
          notificationType
          channel
          enabled
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

export const UpdateSettings = graphql(/* GraphQL */ `
  mutation ReaderUpdateSettings($input: UpdateNotificationSettingsInput!) {
    updateNotificationSettings(input: $input) {
      preferences {
        id
        settings {
          digestFrequency
          marketingOptIn
          quietHoursStart
          quietHoursEnd
          timezone
          email
          phone
          language
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

export const MutedWords = graphql(/* GraphQL */ `
  query ReaderMutedWords {
    mutedKeywords
  }
`);

export const SetMutedWords = graphql(/* GraphQL */ `
  mutation ReaderSetMutedWords($keywords: [String!]!) {
    setMutedKeywords(input: { keywords: $keywords }) {
      keywords
      userErrors {
        code
        message
        path
      }
    }
  }
`);

export const MutedPeople = graphql(/* GraphQL */ `
  query ReaderMutedPeople($after: String) {
    mutedUsers(first: 20, after: $after) {
      edges {
        cursor
        node {
          ...ReaderPerson
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

export const BlockedPeople = graphql(/* GraphQL */ `
  query ReaderBlockedPeople($after: String) {
    blockedUsers(first: 20, after: $after) {
      edges {
        cursor
        node {
          ...ReaderPerson
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

export const Devices = graphql(/* GraphQL */ `
  query ReaderDevices {
    devices {
      id
      deviceId
      platform
      appVersion
      isActive
      lastSeenAt
    }
  }
`);

export const RegisterDevice = graphql(/* GraphQL */ `
  mutation ReaderRegisterDevice($deviceId: ID!, $deviceToken: String!) {
    registerDevice(input: { deviceId: $deviceId, deviceToken: $deviceToken, platform: WEB }) {
      device {
        id
        deviceId
        platform
        appVersion
        isActive
        lastSeenAt
      }
      userErrors {
        code
        message
        path
      }
    }
  }
`);

export const UnregisterDevice = graphql(/* GraphQL */ `
  mutation ReaderUnregisterDevice($deviceId: ID!) {
    unregisterDevice(input: { deviceId: $deviceId }) {
      deletedId
      userErrors {
        code
        message
        path
      }
    }
  }
`);

export const SaveProfile = graphql(/* GraphQL */ `
  mutation ReaderSaveProfile($input: UpsertProfileInput!) {
    upsertProfile(input: $input) {
      user {
        ...ReaderPerson
      }
      userErrors {
        code
        message
        path
      }
    }
  }
`);
