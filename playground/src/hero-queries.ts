import { gql, type TypedDocumentNode } from '@apollo/client'

interface Friend {
  id: string
  name: string | null
}

export interface HeroData {
  /** With errors, everything may be missing. */
  hero: { name: string | null; heroFriends: (Friend | null)[] | null } | null
}

const HeroQuery: TypedDocumentNode<HeroData> = gql`
  query HeroQuery {
    hero {
      name
      heroFriends {
        id
        name
      }
    }
  }
`

const FailingQuery: TypedDocumentNode<HeroData> = gql`
  # Apollo sends neither these comments nor this layout: it adds __typename and prints the query anew.
  query FailingQuery {
    hero {
      name
      heroFriends {
        id
        name # one of these cannot be fetched
      }
    }
  }
`

export const heroQueries = { HeroQuery, FailingQuery }

export type HeroQueryName = keyof typeof heroQueries
