package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/alecthomas/kong"
)

// completionCmd prints a script that completes verbs, flags and the values of flags that have a fixed set of them.
// Everything else completes as a file name.
type completionCmd struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"bash, zsh or fish."`
}

// Help implements kong.HelpProvider.
func (completionCmd) Help() string {
	return `Load it in the running shell, or from the shell's start-up file:

  bash, zsh:  source <(braid completion bash)   or zsh
  fish:       braid completion fish | source`
}

// Run prints the script.
func (c *completionCmd) Run(s streams, parser *kong.Kong) error {
	words := completionWords(parser.Model.Node)
	var script string
	switch c.Shell {
	case "fish":
		script = fishCompletion(words)
	case "zsh":
		script = "autoload -U +X bashcompinit && bashcompinit\n" + bashCompletion(words)
	default:
		script = bashCompletion(words)
	}
	_, err := io.WriteString(s.out, script)
	return err
}

// completion is one place on the command line and what may stand there.
type completion struct {
	path  []string // verbs typed so far
	verbs []*kong.Node
	flags []*kong.Flag
}

// completionWords walks the verbs, the root first.
func completionWords(root *kong.Node) []completion {
	var all []completion
	var walk func(n *kong.Node, path []string)
	walk = func(n *kong.Node, path []string) {
		c := completion{path: path}
		for _, group := range n.AllFlags(true) {
			c.flags = append(c.flags, group...)
		}
		for _, child := range n.Children {
			if !child.Hidden && child.Type == kong.CommandNode {
				c.verbs = append(c.verbs, child)
			}
		}
		all = append(all, c)
		for _, v := range c.verbs {
			walk(v, append(path[:len(path):len(path)], v.Name))
		}
	}
	walk(root, nil)
	return all
}

// values returns the words a flag takes, if they are a fixed set.
func values(f *kong.Flag) []string {
	if f.Enum == "" {
		return nil
	}
	return f.EnumSlice()
}

// bashCompletion follows the verbs typed so far ("" for none, "har lint") and offers what may come next.
func bashCompletion(words []completion) string {
	var b strings.Builder
	b.WriteString(`_braid() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} verb= word i
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    case "$verb $word" in
`)
	for _, c := range words[1:] {
		fmt.Fprintf(&b, "      %q) verb=%q ;;\n", prefixed(c.path), prefixed(c.path))
	}
	b.WriteString("    esac\n  done\n  local words=\n  case \"$verb $prev\" in\n")
	for _, c := range words {
		for _, f := range c.flags {
			if v := values(f); v != nil {
				fmt.Fprintf(&b, "    %q) words=%q ;;\n", prefixed(c.path)+" --"+f.Name, strings.Join(v, " "))
			}
		}
	}
	b.WriteString("  esac\n  if [[ -z $words ]]; then\n    case \"$verb\" in\n")
	for _, c := range words {
		var next []string
		for _, v := range c.verbs {
			next = append(next, v.Name)
		}
		for _, f := range c.flags {
			next = append(next, "--"+f.Name)
		}
		fmt.Fprintf(&b, "      %q) words=%q ;;\n", prefixed(c.path), strings.Join(next, " "))
	}
	b.WriteString(`    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _braid braid
`)
	return b.String()
}

// prefixed is the path as the script keeps it in its variable verb: a blank before each verb.
func prefixed(path []string) string {
	if len(path) == 0 {
		return ""
	}
	return " " + strings.Join(path, " ")
}

// fishCompletion offers each verb and flag with its help.
func fishCompletion(words []completion) string {
	var b strings.Builder
	for _, c := range words {
		condition := "__fish_use_subcommand"
		if len(c.path) > 0 {
			var seen []string
			for _, v := range c.path {
				seen = append(seen, "__fish_seen_subcommand_from "+v)
			}
			condition = strings.Join(seen, "; and ")
		}
		for _, v := range c.verbs {
			fmt.Fprintf(&b, "complete -c braid -n %s -f -a %s -d %s\n", quoted(condition), v.Name, quoted(v.Help))
		}
		for _, f := range c.flags {
			fmt.Fprintf(&b, "complete -c braid -n %s -l %s -d %s", quoted(condition), f.Name, quoted(f.Help))
			switch v := values(f); {
			case v != nil:
				fmt.Fprintf(&b, " -x -a %s", quoted(strings.Join(v, " ")))
			case !f.IsBool():
				b.WriteString(" -r")
			}
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// quoted writes s as one word of fish.
func quoted(s string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(s) + "'"
}
