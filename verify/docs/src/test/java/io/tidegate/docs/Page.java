package io.tidegate.docs;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A Markdown page.
 *
 * @param file its path
 * @param name its path from the root folder, for messages
 * @param lines its text
 */
record Page(Path file, String name, List<String> lines) {
    static final Path ROOT =
            Path.of(requireNonNull(System.getProperty("tidegate.root"))).normalize();
    private static final String FENCE = "```";
    private static final Pattern CODE_SPAN = Pattern.compile("`[^`]*`");
    private static final Pattern LINK = Pattern.compile("\\[[^]]*]\\(([^)\\s]+)\\)");
    private static final Pattern FROM = Pattern.compile("<!-- from: (\\S+) -->");
    private static final Pattern HEADING = Pattern.compile("#+ +(.*)");
    private static final Pattern IMAGE = Pattern.compile("!\\[[^]]*]\\([^)\\s]+\\)");

    /**
     * A fenced block: the index of its opening line, the index of its closing line, and the word behind the opening
     * fence.
     */
    record Block(int open, int close, String language) {}

    static List<Page> all() throws IOException {
        try (Stream<Path> root = Files.list(ROOT);
                Stream<Path> docs = Files.walk(ROOT.resolve("docs"));
                Stream<Path> examples = Files.walk(ROOT.resolve("examples"), 2)) {
            return Stream.of(root, docs, examples)
                    .flatMap(files -> files)
                    .filter(file -> file.toString().endsWith(".md"))
                    .sorted()
                    .map(Page::read)
                    .toList();
        }
    }

    static Page read(String name) {
        return read(ROOT.resolve(name));
    }

    static Page read(Path file) {
        try {
            return new Page(file, ROOT.relativize(file).toString(), Files.readAllLines(file));
        } catch (IOException e) {
            throw new IllegalStateException(file + " cannot be read", e);
        }
    }

    List<Snippet> snippets() {
        return blocks().stream()
                .filter(block -> block.language().equals("java"))
                .map(block -> new Snippet(this, block))
                .toList();
    }

    private List<Block> blocks() {
        List<Block> blocks = new ArrayList<>();
        for (int open = 0; open < lines.size(); open++) {
            String line = lines.get(open).strip();
            if (line.startsWith(FENCE)) {
                int close = closing(open);
                blocks.add(new Block(open, close, line.substring(FENCE.length())));
                open = close;
            }
        }
        return blocks;
    }

    private int closing(int open) {
        for (int i = open + 1; i < lines.size(); i++) {
            if (lines.get(i).strip().equals(FENCE)) {
                return i;
            }
        }
        throw new IllegalStateException(at(open) + ": a block that does not end");
    }

    /**
     * Returns lines of blocks that are missing in the file which a comment {@code <!-- from: … -->} above the block
     * names. The file must contain each line of the block, in the same order and with any indentation.
     */
    List<String> wrongQuotes() {
        List<String> wrong = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            Matcher from = FROM.matcher(lines.get(i));
            if (from.matches()) {
                int comment = i;
                Block quote = blocks().stream()
                        .filter(block -> block.open() > comment)
                        .findFirst()
                        .orElseThrow(() -> new IllegalStateException(at(comment) + ": no block below"));
                wrong.addAll(wrongLines(quote, read(ROOT.resolve(from.group(1)))));
            }
        }
        return wrong;
    }

    private List<String> wrongLines(Block quote, Page file) {
        List<String> wrong = new ArrayList<>();
        List<String> left = file.lines().stream().map(String::strip).toList();
        for (int i = quote.open() + 1; i < quote.close(); i++) {
            String line = lines.get(i).strip();
            int found = line.isEmpty() ? -1 : left.indexOf(line);
            if (found >= 0) {
                left = left.subList(found + 1, left.size());
            } else if (!line.isEmpty()) {
                wrong.add(at(i) + ": not in " + file + ", or not in this order");
            }
        }
        return wrong;
    }

    /** Returns what is wrong with the links to files and headings of the repository. */
    List<String> brokenLinks() {
        return links().stream().map(Link::problem).flatMap(Optional::stream).toList();
    }

    private List<Link> links() {
        List<Link> links = new ArrayList<>();
        List<String> prose = prose();
        for (int i = 0; i < prose.size(); i++) {
            Matcher link = LINK.matcher(CODE_SPAN.matcher(prose.get(i)).replaceAll(""));
            while (link.find()) {
                links.add(new Link(this, i, link.group(1)));
            }
        }
        return links;
    }

    /** Returns the names by which links reach the headings. */
    Set<String> anchors() {
        return prose().stream()
                .map(HEADING::matcher)
                .filter(Matcher::matches)
                .map(heading -> heading.group(1).toLowerCase(Locale.ROOT))
                .map(heading -> heading.replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-'))
                .collect(Collectors.toSet());
    }

    /** Returns the headings of the second level, in lower case and without the text after a colon. */
    List<String> sections() {
        return prose().stream()
                .filter(line -> line.startsWith("## "))
                .map(line -> line.substring(3).split(":")[0].toLowerCase(Locale.ROOT))
                .toList();
    }

    String text() {
        return String.join("\n", lines);
    }

    /** Returns the number of words, including code and comments, as {@code wc -w} counts them. */
    long words() {
        return lines.stream()
                .flatMap(line -> Stream.of(line.strip().split("\\s+")))
                .filter(word -> !word.isEmpty())
                .count();
    }

    /** Returns the number of diagrams and images. */
    long pictures() {
        long diagrams = blocks().stream()
                .filter(block -> block.language().equals("mermaid"))
                .count();
        return diagrams
                + prose().stream()
                        .flatMap(line -> IMAGE.matcher(line).results())
                        .count();
    }

    /** Returns the lines, with empty ones in place of blocks. */
    private List<String> prose() {
        List<String> prose = new ArrayList<>(lines);
        for (Block block : blocks()) {
            prose.subList(block.open(), block.close() + 1).replaceAll(line -> "");
        }
        return prose;
    }

    /** Names a line, given by its index, in the form that editors understand. */
    String at(int index) {
        return name + ":" + (index + 1);
    }

    @Override
    public String toString() {
        return name;
    }
}
