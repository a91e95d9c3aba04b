//! From names to commits: tags, branches, ids. Refs are walked, never the ancestry of HEAD, since releases are often
//! tagged off the main branch.

use std::collections::HashSet;

use gix::bstr::{BStr, ByteSlice};

use super::{LOST_OBJECTS, object};
use crate::error::{ScanError, chain};

/// The tags of a repository.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tags {
    /// Those that stand for a commit, sorted by name.
    pub tags: Vec<Tag>,
    /// Those that do not, sorted by name.
    pub skipped: Vec<SkippedTag>,
}

/// A tag that stands for a commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tag {
    /// Its name, without `refs/tags/`.
    pub name: String,
    /// The commit, through any number of tag objects; lowercase hex.
    pub commit: String,
}

/// A tag that stands for no commit that can be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkippedTag {
    /// Its name, without `refs/tags/`; with replacement characters where it is no UTF-8.
    pub name: String,
    /// Why it is left out.
    pub why: String,
}

/// A revision that was found.
pub(super) struct Found {
    /// The commit (or the tree, when a tree was named), lowercase hex.
    pub(super) id: String,
    /// Its tree.
    pub(super) tree: gix::ObjectId,
}

pub(super) fn tags(repo: &gix::Repository, origin: &str) -> Result<Tags, ScanError> {
    let broken =
        |error: &gix::Error| ScanError::unreadable(origin, format!("its refs: {}", chain(error)), LOST_OBJECTS);
    let platform = repo.references().map_err(|error| broken(&error))?;
    let mut tags = Tags::default();
    for reference in platform.tags().map_err(|error| broken(&error))? {
        let reference = match reference {
            Ok(reference) => reference,
            Err(error) => {
                tags.skipped.push(SkippedTag {
                    name: "?".to_owned(),
                    why: format!("its ref cannot be read: {}", chain(&error)),
                });
                continue;
            }
        };
        let full = reference.name().as_bstr();
        let short = full.strip_prefix(b"refs/tags/").unwrap_or(full.as_bytes()).as_bstr();
        let skip = |why: String| SkippedTag {
            name: short.to_str_lossy().into_owned(),
            why,
        };
        let Ok(name) = short.to_str() else {
            tags.skipped.push(skip("its name is not UTF-8".to_owned()));
            continue;
        };
        match reference.try_id().map(gix::Id::detach) {
            None => tags.skipped.push(skip("it is a symbolic ref".to_owned())),
            Some(id) => match peel(repo, id) {
                Ok((commit, gix::object::Kind::Commit)) => tags.tags.push(Tag {
                    name: name.to_owned(),
                    commit: commit.to_string(),
                }),
                Ok((_, kind)) => tags.skipped.push(skip(format!("it names a {kind}, no commit"))),
                Err(why) => tags.skipped.push(skip(why)),
            },
        }
    }
    tags.tags.sort_by(|a, b| a.name.cmp(&b.name));
    tags.skipped.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(tags)
}

/// Follows tag objects to what they tag. Looks at headers only, so that a commit needs not be decoded.
fn peel(repo: &gix::Repository, mut id: gix::ObjectId) -> Result<(gix::ObjectId, gix::object::Kind), String> {
    // Nested tags are rare and short; a longer chain is damage.
    for _ in 0..32 {
        let header = match repo.try_find_header(id) {
            Ok(Some(header)) => header,
            Ok(None) => return Err(format!("the clone lacks object {id}")),
            Err(_) => return Err(format!("object {id} is damaged")),
        };
        if header.kind() != gix::object::Kind::Tag {
            return Ok((id, header.kind()));
        }
        let tag = object(repo, id).map_err(|why| why.to_string())?;
        id = tag
            .to_tag_ref_iter()
            .target_id()
            .map_err(|_| format!("tag object {id} is damaged"))?;
    }
    Err("its tag objects are nested too deep".to_owned())
}

pub(super) fn resolve(repo: &gix::Repository, origin: &str, revision: &str) -> Result<Found, ScanError> {
    let id = match by_name(repo, revision) {
        Some(id) => id,
        None => by_expression(repo, origin, revision)?,
    };
    let at = || format!("{origin}@{revision}");
    let (id, kind) = peel(repo, id).map_err(|why| ScanError::unreadable(at(), why, LOST_OBJECTS))?;
    match kind {
        gix::object::Kind::Commit => {
            let damaged = |why: String| ScanError::unreadable(at(), why, LOST_OBJECTS);
            let commit = object(repo, id).map_err(|why| damaged(why.to_string()))?;
            let tree = commit
                .try_to_commit_ref_iter()
                .and_then(|mut commit| commit.tree_id().ok())
                .ok_or_else(|| damaged(format!("commit {id} is damaged")))?;
            Ok(Found {
                id: id.to_string(),
                tree,
            })
        }
        gix::object::Kind::Tree => Ok(Found {
            id: id.to_string(),
            tree: id,
        }),
        gix::object::Kind::Blob | gix::object::Kind::Tag => Err(ScanError::unreadable(
            at(),
            format!("it names a {kind}, no commit"),
            "name a tag, a branch or a commit",
        )),
    }
}

/// A full id, a tag, a branch or any other ref, in this order.
fn by_name(repo: &gix::Repository, revision: &str) -> Option<gix::ObjectId> {
    if let Ok(id) = gix::ObjectId::from_hex(revision.as_bytes())
        && id.kind() == repo.object_hash()
        && repo.has_object(id)
    {
        return Some(id);
    }
    ["refs/tags/", "refs/heads/", "refs/remotes/origin/", "refs/remotes/", ""]
        .iter()
        .filter_map(|prefix| {
            let name = format!("{prefix}{revision}");
            if prefix.is_empty() && revision != "HEAD" && !revision.starts_with("refs/") {
                return None;
            }
            repo.try_find_reference(name.as_str()).ok().flatten()
        })
        .find_map(|mut reference| match reference.try_id() {
            Some(id) => Some(id.detach()),
            None => reference.peel_to_id().ok().map(gix::Id::detach),
        })
}

/// An abbreviated id, or an expression such as `v1~2`.
fn by_expression(repo: &gix::Repository, origin: &str, revision: &str) -> Result<gix::ObjectId, ScanError> {
    let at = format!("{origin}@{revision}");
    if let Some(prefix) = prefix(repo, revision) {
        let mut candidates = HashSet::new();
        if repo.objects.lookup_prefix(prefix, Some(&mut candidates)).is_ok() {
            // Only what stands for a commit can be meant.
            candidates.retain(|&id| matches!(peel(repo, id), Ok((_, gix::object::Kind::Commit))));
            match candidates.iter().next() {
                Some(id) if candidates.len() == 1 => return Ok(*id),
                Some(_) => {
                    let problem = format!("{} commits begin like this", candidates.len());
                    return Err(ScanError::unreadable(at, problem, "give more digits of the id"));
                }
                None => {}
            }
        }
    }
    if let Ok(id) = repo.rev_parse_single(BStr::new(revision)) {
        return Ok(id.detach());
    }
    let walks = revision.contains(['~', '^']) && !revision.starts_with('^');
    if walks && repo.is_shallow().unwrap_or(false) {
        return Err(ScanError::unreadable(
            at,
            "history not available: the clone is shallow",
            "name a tag or a commit, or fetch the rest with `git fetch --unshallow`",
        ));
    }
    let names: Vec<String> = names(repo);
    Err(ScanError::missing_version(origin, revision, &names))
}

/// The abbreviated id that `text` may be. Made from a padded full id, since `gix` takes a short text for SHA-1.
fn prefix(repo: &gix::Repository, text: &str) -> Option<gix::hash::Prefix> {
    let full = repo.object_hash().len_in_hex();
    if text.len() > full || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let id = gix::ObjectId::from_hex(format!("{text:0<full$}").as_bytes()).ok()?;
    gix::hash::Prefix::new(&id, text.len()).ok()
}

/// Tags and branches, for saying what is near a name that does not exist.
fn names(repo: &gix::Repository) -> Vec<String> {
    let mut names = Vec::new();
    if let Ok(platform) = repo.references()
        && let Ok(all) = platform.all()
    {
        for reference in all.flatten() {
            let full = reference.name().as_bstr().to_str_lossy().into_owned();
            for prefix in ["refs/tags/", "refs/heads/", "refs/remotes/origin/"] {
                if let Some(short) = full.strip_prefix(prefix) {
                    names.push(short.to_owned());
                }
            }
        }
    }
    names.sort();
    names.dedup();
    names
}
